import { joinClasses, useFieldIds } from '@balcao/ui/parts'
import { useKitTexts } from './texts.ts'

/** Calm ones that stand apart from each other; any other can be chosen too. */
const COLORS = [
  '#2c53a4',
  '#1f8fb5',
  '#2e9e6b',
  '#7a8f2e',
  '#b97d0a',
  '#d0702f',
  '#b93227',
  '#b04a86',
  '#7c5cc9',
  '#5a6272',
]

/** Degrees from one hue to the next: those drawn one after the other stay apart, however many there are. */
const GOLDEN = 137.508

/** A colour that none of these is: the first of the ten, then any other as calm. */
export function findFreeColor(taken: readonly string[]): string {
  const others = new Set(taken.map(color => color.toLowerCase()))
  const free = COLORS.find(color => !others.has(color))
  for (let turn = 1; ; turn++) {
    const color = free ?? toCalmColor(turn * GOLDEN)
    if (!others.has(color)) return color
  }
}

/** `#rrggbb` of a hue in degrees. */
function toCalmColor(hue: number): string {
  const part = (shift: number) => {
    const at = (shift + hue / 30) % 12
    return Math.round(255 * (0.45 - 0.25 * Math.max(-1, Math.min(at - 3, 9 - at, 1))))
  }
  return `#${[0, 8, 4].map(shift => part(shift).toString(16).padStart(2, '0')).join('')}`
}

interface ColorFieldProps {
  /** `#rrggbb` */
  readonly value: string
  readonly onChange: (color: string) => void
  /** Colours of others, where each may be had once. */
  readonly taken?: readonly string[]
}

/** A colour: one of ten, or any by the browser's own chooser. Inside of a `Field`. */
export function ColorField({ value, onChange, taken = [] }: ColorFieldProps) {
  const kit = useKitTexts()
  const ids = useFieldIds()
  const others = new Set(taken.map(color => color.toLowerCase()))
  return (
    <div className="flex flex-wrap items-center gap-2">
      {COLORS.filter(color => !others.has(color)).map(color => (
        <button
          key={color}
          type="button"
          aria-label={color}
          aria-pressed={color === value.toLowerCase()}
          className={joinClasses(
            'size-7 rounded-full border border-line max-sm:size-11',
            color === value.toLowerCase() && 'ring-2 ring-primary ring-offset-2 ring-offset-surface',
          )}
          style={{ background: color }}
          onClick={() => onChange(color)}
        />
      ))}
      <input
        {...ids}
        type="color"
        aria-label={kit('color.other')}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#2c53a4'}
        onChange={event => onChange(event.target.value)}
        className="h-9.5 w-14 cursor-pointer rounded-field border border-line-strong bg-surface p-1 max-sm:h-11"
      />
    </div>
  )
}
