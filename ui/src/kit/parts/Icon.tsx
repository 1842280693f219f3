import type { LucideIcon } from 'lucide-react'

const STROKES = { 14: 2, 16: 1.8, 20: 1.6 } as const

interface IconProps {
  readonly of: LucideIcon
  readonly size?: keyof typeof STROKES
  /** An accessible name, only where no visible word says the same. */
  readonly label?: string
  readonly className?: string
}

/**
 * A lucide icon at one of the three sizes, with the stroke that belongs to it.
 *
 * @example <Icon of={Search} size={16} />
 */
export function Icon({ of: Drawing, size = 20, label, className }: IconProps) {
  return (
    <Drawing
      size={size}
      strokeWidth={STROKES[size]}
      className={className}
      aria-hidden={label ? undefined : true}
      aria-label={label}
      role={label ? 'img' : undefined}
      focusable={false}
      style={{ flex: 'none' }}
    />
  )
}
