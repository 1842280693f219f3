import type { ReactNode } from 'react'

interface QrSquareProps {
  /** The text of the code in it, for machines. */
  readonly text?: string | undefined
  readonly className: string
  readonly children: ReactNode
}

/** The place of a code, as large whatever stands in it, so that nothing jumps when the code comes. */
export function QrSquare({ text, className, children }: QrSquareProps) {
  return (
    <div
      data-qr={text}
      className={`mx-auto grid aspect-square w-full max-w-[316px] rounded-card border border-line ${className}`}
    >
      {children}
    </div>
  )
}
