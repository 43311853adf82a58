# docker build -t qinghai .
# docker run -v qinghai:/var/lib/qinghai -v ./qinghai.toml:/etc/qinghai.toml:ro --env-file .env qinghai
FROM python:3.12-slim

WORKDIR /opt/qinghai
# The versions of uv.lock, checked by its hashes; the layer stays until the lock changes.
COPY pyproject.toml uv.lock ./
RUN python -m venv /tmp/uv && /tmp/uv/bin/pip install --no-cache-dir 'uv>=0.9,<1' \
 && /tmp/uv/bin/uv export --frozen --no-emit-project --group postgres --quiet --output-file /tmp/locked.txt \
 && pip install --no-cache-dir --require-hashes --no-deps -r /tmp/locked.txt \
 && rm -rf /tmp/uv /tmp/locked.txt \
 && useradd --system --uid 10001 --no-create-home qinghai \
 && install -d -o qinghai -g qinghai -m 0700 /var/lib/qinghai

COPY LICENSE run.py ./
COPY core core
COPY bot bot
COPY templates templates
COPY data data

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    QINGHAI_CONFIG=/etc/qinghai.toml \
    QINGHAI_DATABASE_URL=sqlite:////var/lib/qinghai/qinghai.db \
    QINGHAI_HTTP__PORT=8080
USER qinghai
WORKDIR /var/lib/qinghai
VOLUME /var/lib/qinghai
# Inside the container only: QINGHAI_HTTP__HOST=0.0.0.0 opens it to others.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['QINGHAI_HTTP__PORT'] + '/healthz', timeout=4)"]
# The bot itself is process 1 and hears SIGTERM.
STOPSIGNAL SIGTERM
ENTRYPOINT ["python", "/opt/qinghai/run.py"]
CMD ["serve"]
