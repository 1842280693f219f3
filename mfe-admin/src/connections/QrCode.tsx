import { useTexts } from '@balcao/ui/i18n'
import { Logo } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'
import { QrSquare } from './QrSquare.tsx'
import { computeQrSide, drawQr, type QrDrawing } from './qr-path.ts'

interface QrCodeProps {
  readonly text: string
  readonly name: string
  /** Grey and out of reach, while the next code is awaited. */
  readonly stale?: boolean
}

/** The QR code in ink on white in both themes, with the bell in the middle. `data-qr` holds its text for machines. */
export function QrCode({ text, name, stale }: QrCodeProps) {
  const t = useTexts('connections')
  const [drawn, setDrawn] = useState<(QrDrawing & { readonly of: string }) | null>(null)
  useEffect(() => {
    let current = true
    void drawQr(text, window.devicePixelRatio).then(drawing => current && setDrawn({ ...drawing, of: text }))
    return () => {
      current = false
    }
  }, [text])
  // A drawing of an older text never stands under the newest one's name.
  const shown = drawn?.of === text ? drawn : null
  return (
    <QrSquare text={stale ? undefined : text} className="relative place-items-center bg-white p-3.5">
      {/* White as the code itself, in both themes. */}
      {!shown && <span className="size-full animate-pulse rounded-tag bg-[#edeae4]" aria-hidden="true" />}
      {shown && (
        <svg
          viewBox={`0 0 ${shown.size} ${shown.size}`}
          shapeRendering="crispEdges"
          role="img"
          aria-label={t('qr.image', { name })}
          className="block aspect-square max-w-full"
          style={{ opacity: stale ? 0.12 : 1, width: computeQrSide(shown.size, window.devicePixelRatio) }}
        >
          <path d={shown.path} fill="#1C2333" />
        </svg>
      )}
      {shown && !stale && (
        <span className="absolute top-1/2 left-1/2 -translate-1/2 rounded-[13px] bg-white p-[3px]" aria-hidden="true">
          <Logo size={44} />
        </span>
      )}
    </QrSquare>
  )
}
