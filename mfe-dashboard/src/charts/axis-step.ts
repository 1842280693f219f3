/** What the lines lie apart, so that two of them are above everything: 1, 2, 5, 10, 20, 50 … */
export function chooseAxisStep(most: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most / 2))))
  return ([1, 2, 5, 10].find(times => 2 * times * power >= most) ?? 10) * power
}
