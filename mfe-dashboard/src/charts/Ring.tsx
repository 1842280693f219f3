import { DonutChart } from '@tremor/react'
import type { CSSProperties } from 'react'
import type { ChartShare } from './Chart.tsx'

/** Tremor takes names of colours only: these stand for what the style of the ring says (see styles.css). */
const NAMES = ['blue', 'cyan', 'orange', 'violet', 'emerald', 'gray']
/** Nothing has a ring as well. */
const NOTHING: readonly ChartShare[] = [{ name: '', value: 1, color: 'var(--b-line)' }]

/** The shares of a ring, without words; whoever shows it says them beside. */
export default function Ring({ parts }: { readonly parts: readonly ChartShare[] }) {
  const shown = parts.some(({ value }) => value > 0) ? parts : NOTHING
  const colors: CSSProperties = Object.fromEntries(shown.map(({ color }, index) => [`--ring-${index + 1}`, color]))
  return (
    // Its parts can be reached by Tab, and there is nothing to do there.
    <div style={colors} inert>
      <DonutChart className="size-24 stroke-2" data={[...shown]} colors={NAMES} showLabel={false} showTooltip={false} />
    </div>
  )
}
