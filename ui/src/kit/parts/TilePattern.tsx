import { useId } from 'react'

interface TilePatternProps {
  /** Side of one tile in px: 72 on the wall, 120 at sign-in. */
  readonly tile?: number
  /** Colour of the lines; the wall's by default. */
  readonly line?: string
  readonly className?: string
}

/**
 * The hydraulic-tile drawing behind conversations and at sign-in, nowhere else. Fills its positioned parent.
 *
 * @example <main><TilePattern />…</main>
 */
export function TilePattern({ tile = 72, line = 'var(--b-tile-line)', className }: TilePatternProps) {
  const id = useId()
  return (
    <svg className={className ?? 'b-tiles'} width="100%" height="100%" aria-hidden="true">
      <defs>
        <pattern id={id} width={tile} height={tile} patternUnits="userSpaceOnUse" viewBox="0 0 120 120">
          <g fill="none" stroke={line} strokeWidth={(1.2 * 120) / tile} strokeLinecap="round" strokeLinejoin="round">
            <path d="M60 15C65 41 79 55 105 60C79 65 65 79 60 105C55 79 41 65 15 60C41 55 55 41 60 15z" />
            <circle cx="60" cy="60" r="5" />
            {[0, 90, 180, 270].map(turn => (
              <g key={turn} transform={`rotate(${turn} 60 60)`}>
                <path d="M2 2C20 4 34 16 42 42C16 34 4 20 2 2z" />
                <path d="M2 2C18 10 30 22 42 42" />
                <path d="M60 0v6M54 0h-8" />
              </g>
            ))}
          </g>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
