"""The counts of `bot.metrics`, and numbers as they are now, in the text form that Prometheus reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from bot.metrics import COUNTERS, TIMERS
from bot.web.house import Gauge

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Now(Collector):
    """Everything once: what was counted, and `gauges`."""

    def __init__(self, gauges: Sequence[Gauge]) -> None:
        self._gauges = gauges

    def collect(self) -> Iterable[Metric]:
        yield from _counted()
        for gauge in self._gauges:
            yield GaugeMetricFamily(gauge.name, gauge.about, value=gauge.value)


def _counted() -> Iterator[Metric]:
    for counter in COUNTERS:
        family = CounterMetricFamily(counter.name, counter.about, labels=counter.labels)
        for labels, value in sorted(counter.values.items()):
            family.add_metric(labels, value)
        yield family
    for timer in TIMERS:
        summary = SummaryMetricFamily(timer.name, timer.about, labels=timer.labels)
        for labels, (times, seconds) in sorted(timer.values.items()):
            summary.add_metric(labels, count_value=times, sum_value=seconds)
        yield summary


def exposed(gauges: Sequence[Gauge]) -> bytes:
    """The page; memory, processor time and open files of the process included."""
    registry = CollectorRegistry()
    registry.register(_Now(gauges))
    ProcessCollector(registry=registry)
    return generate_latest(registry)
