# Ratios of what was measured in turns.
#
#	awk -v of=NAME -v to=NAME [-v each=X] [-v mean=X] [-v title=TEXT] -f ratio.awk FILE
#
# FILE has lines "NAME ROUND ROW VALUE".  Prints for each row the median and
# the lower quartile over the rounds of the ratio of the one to the other, and
# their geometric means (rows in KiB apart, which end in _kib); and which
# lower quartile is over its budget.
{
	if (!($3 in seen)) {
		seen[$3] = 1
		name[++names] = $3
	}
	v[$1, $2, $3] = $4
	if ($2 > rounds)
		rounds = $2
}

# The ratios of a row, sorted, in q[1..]; how many.
function ratios(row,    n, r, k, x) {
	n = 0
	for (r = 1; r <= rounds; r++) {
		if (!((of, r, row) in v) || !((to, r, row) in v))
			continue
		if (v[to, r, row] <= 0)
			continue
		x = v[of, r, row] / v[to, r, row]
		for (k = n++; k > 0 && q[k] > x; k--)
			q[k + 1] = q[k]
		q[k + 1] = x
	}
	return n
}

function budget(x, most) {
	return most != "" && x > most ? sprintf("   OVER %.2f", most) : ""
}

function summary(what, count, mids, lows,    low) {
	if (count < 2)
		return
	low = exp(lows / count)
	printf "  %-24s %6.2f %6.2f%s\n", what, exp(mids / count), low,
	    budget(low, what == "mean of KiB" ? "" : mean)
}

END {
	printf "%s: %s to %s, median and lower quartile of %d\n", title, of, to,
	    rounds
	for (i = 1; i <= names; i++) {
		n = ratios(name[i])
		if (n == 0)
			continue
		mid = q[int((n + 1) / 2)]
		low = q[int((n + 3) / 4)]
		kib = name[i] ~ /_kib$/
		count[kib]++
		mids[kib] += log(mid)
		lows[kib] += log(low)
		printf "  %-24s %6.2f %6.2f%s\n", name[i], mid, low,
		    budget(low, kib ? "" : each)
	}
	summary("mean", count[0], mids[0], lows[0])
	summary("mean of KiB", count[1], mids[1], lows[1])
}
