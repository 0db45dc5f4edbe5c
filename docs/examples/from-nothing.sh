#!/usr/bin/env bash
# From nothing to a report: costs are generated, a tree is fitted, put to use, explained and handed on.
set -euo pipefail

# Thirty mornings of travel times on a 4 × 4 grid of streets, and a thousand others to test on.
hedgerow generate shortest-path --grid 4 --samples 30 -o costs.csv
hedgerow generate shortest-path --grid 4 --test -o test.csv

# The best tree with at most two questions in a row, if each morning may be misread by a little.
hedgerow fit grid:4 costs.csv --depth 2 --local 0.1 --method exact --seed 0 -o tree.json

# One decision for each of the thousand mornings.
hedgerow predict tree.json test.csv -o decisions.csv
head -n 4 decisions.csv | cut -d , -f 25-26

# What these decisions cost, as read and in the worst case.
hedgerow evaluate tree.json test.csv

# Why the advice for the first of them is what it is, and how sure it is.
hedgerow explain tree.json test.csv --row 1

# The rules as sentences, and as a query for the database that has the readings.
hedgerow export tree.json --to rules
hedgerow export tree.json --to sql --table readings -o advise.sql

# One page for those who plan with it.
hedgerow report tree.json costs.csv --test test.csv --title "From corner to corner" -o report.html
