import type { ReactNode } from 'react'

/** Paper is paper in both themes. */
export const INK = '#1c2333'
export const QUIET = '#636a79'
export const LINE = '#e3dfd7'
/** In points of A4. */
export const [LEFT, RIGHT] = [36, 559] as const
export const WIDTH = RIGHT - LEFT

interface WordsProps {
  readonly x: number
  readonly y: number
  readonly size?: number
  readonly color?: string
  readonly isStrong?: boolean
  readonly isRight?: boolean | undefined
  readonly children: ReactNode
}

export function Words({ x, y, size, color, isStrong, isRight, children }: WordsProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={size}
      fill={color}
      fontWeight={isStrong ? 600 : undefined}
      textAnchor={isRight ? 'end' : undefined}
    >
      {children}
    </text>
  )
}

export function Rule({ y, color = LINE }: { readonly y: number; readonly color?: string }) {
  return <path d={`M${LEFT} ${y}H${RIGHT}`} stroke={color} strokeWidth={0.8} fill="none" />
}
