// The shape of a sound as thin bars; the played part in blue.
const BARS = 34
const QUIET = 0.12

export function Waveform({ peaks, played }: { peaks: number[]; played: number }) {
  const bars = Array.from({ length: BARS }, (_, bar) => peaks[Math.floor((bar / BARS) * peaks.length)] ?? QUIET)
  return (
    <svg className="waveform" viewBox={`0 0 ${BARS * 3} 24`} preserveAspectRatio="none" aria-hidden="true">
      {bars.map((peak, bar) => {
        const height = Math.max(2, Math.min(1, peak) * 22)
        const key = `bar-${bar}`
        return (
          <rect
            key={key}
            className={bar / BARS < played ? 'played' : ''}
            x={bar * 3}
            y={12 - height / 2}
            width="1.8"
            height={height}
            rx="0.9"
          />
        )
      })}
    </svg>
  )
}
