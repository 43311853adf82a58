"""Reading aids that every question uses: folding, names, signs, what a goal wants, how urgent it is."""
