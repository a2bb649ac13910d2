#include "rate.h"

#include "os.h"
#include "tablewrite.h"

static struct {
	uint16_t packed;     /* lg | active << 8, in one load */
	uint64_t off_since;  /* 0: active */
	uint64_t on_since;   /* 0: it was never off */
	uint64_t off_before; /* sum of the times off that have ended */
	uint8_t finest;      /* lg + 1 of the finest rate used, 0: none */
	bool ever;           /* it has been active */
} rate;

struct rate
rate_now(void)
{
	uint16_t p = __atomic_load_n(&rate.packed, __ATOMIC_RELAXED);

	return (struct rate){ (uint8_t)p, p >> 8 & 1 };
}

static void
note_finest(struct rate r)
{
	if (r.active && (rate.finest == 0 || r.lg + 1u < rate.finest))
		rate.finest = (uint8_t)(r.lg + 1);
	rate.ever |= r.active;
}

unsigned
rate_finest(void)
{
	return rate.finest ? rate.finest - 1u : rate_now().lg;
}

void
rate_restart(void)
{
	rate.finest = 0;
	note_finest(rate_now());
}

bool
rate_ever_active(void)
{
	return rate.ever;
}

uint64_t
rate_off_since(void)
{
	return rate.off_since;
}

uint64_t
rate_on_since(void)
{
	return rate.on_since;
}

void
rate_set(struct rate r)
{
	struct table_head *h = table_head();
	uint64_t now = os_now_coarse();

	if (!r.active && rate.off_since == 0)
		rate.off_since = now;
	if (r.active && rate.off_since != 0) {
		rate.off_before += now - rate.off_since;
		rate.off_since = 0;
		rate.on_since = now;
	}
	__atomic_store_n(&rate.packed,
	    (uint16_t)(r.lg | (unsigned)r.active << 8), __ATOMIC_RELAXED);
	note_finest(r);
	if (!h)
		return;
	if (h->lg_sample != r.lg)
		h->rate_changes++;
	h->lg_sample = r.lg;
	h->active = r.active;
}

uint64_t
rate_inactive_ns(uint64_t now_ns)
{
	if (rate.off_since == 0 || now_ns < rate.off_since)
		return rate.off_before;
	return rate.off_before + (now_ns - rate.off_since);
}
