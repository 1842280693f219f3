const [WIDTH, HEIGHT] = [60, 26]

/** A line of the days, the last one marked. Its numbers stand in words beside it. */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
  if (values.length < 2) return null
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, n) => ({
    x: 3 + (n / (values.length - 1)) * (WIDTH - 6),
    y: most === least ? HEIGHT / 2 : 3 + (1 - (value - least) / (most - least)) * (HEIGHT - 6),
  }))
  const last = points.at(-1)
  return (
    <svg width={WIDTH} height={HEIGHT} className="shrink-0" aria-hidden="true">
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        stroke="var(--b-chart-bar)"
        strokeWidth="1.6"
      />
      {last && <circle cx={last.x} cy={last.y} r="2.5" fill="var(--b-primary)" />}
    </svg>
  )
}
