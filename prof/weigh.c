#include "weigh.h"

#include "cells.h"
#include "format.h"
#include "maths.h"

void
weigh(uint64_t size, unsigned lg, struct weighed *w)
{
	double z = (double)size, weight, extra;

	w->bytes = size;
	if (lg == 0) {
		w->est_objects = UINT64_C(1) << EST_OBJECT_SHIFT;
		w->est_bytes = size << EST_BYTE_SHIFT;
		w->var_bytes = 0;
		w->var_objects = 0;
		return;
	}
	weight = 1 / maths_one_minus_exp(z / (double)(UINT64_C(1) << lg));
	extra = weight * (weight - 1);
	w->est_objects = (uint64_t)(weight * (1 << EST_OBJECT_SHIFT) + 0.5);
	w->est_bytes = (uint64_t)(z * weight * (1 << EST_BYTE_SHIFT) + 0.5);
	w->var_bytes = z * z * extra;
	w->var_objects = extra;
}
