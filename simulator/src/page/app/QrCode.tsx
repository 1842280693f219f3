// A QR drawn as one path.
import { create } from 'qrcode'
import { useMemo } from 'react'

const QUIET = 3

export function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { modules } = create(text, { errorCorrectionLevel: 'M' })
    const parts: string[] = []
    for (let row = 0; row < modules.size; row++)
      for (let column = 0; column < modules.size; column++)
        if (modules.get(row, column)) parts.push(`M${column} ${row}h1v1h-1z`)
    return { size: modules.size, path: parts.join('') }
  }, [text])
  const box = `${-QUIET} ${-QUIET} ${size + 2 * QUIET} ${size + 2 * QUIET}`
  return (
    <svg className="qr" viewBox={box} role="img" aria-label="Código QR da conexão" shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  )
}
