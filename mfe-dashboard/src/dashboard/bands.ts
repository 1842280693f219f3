// The five bands of a rating (spec 1 §2): by stars for one answer, by share of five for a mean.

/** From one star to five. */
export const BANDS = ['awful', 'bad', 'fair', 'good', 'great'] as const
export type Band = (typeof BANDS)[number]

/** The colours of the bands, from one star to five. */
export const BAND_COLORS: Readonly<Record<Band, string>> = {
  awful: 'var(--b-band-1)',
  bad: 'var(--b-band-2)',
  fair: 'var(--b-band-3)',
  good: 'var(--b-band-4)',
  great: 'var(--b-band-5)',
}

/** The band of a mean: below 20 % of five, 40, 60, 80, from 80 on. */
export function getBand(average: number): Band {
  const share = (average / 5) * 100
  return share < 20 ? 'awful' : share < 40 ? 'bad' : share < 60 ? 'fair' : share < 80 ? 'good' : 'great'
}
