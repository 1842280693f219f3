import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, useFieldIds } from '@balcao/ui/parts'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { type Crop, computeCropSquare, cropPicture, drawCrop, MOST_ZOOM, moveCrop, SIDE, WHOLE } from './crop.ts'

interface CropDialogProps {
  readonly picture: ImageBitmap
  readonly onDone: (file: File) => void
  readonly onClose: () => void
}

/** Takes a square of a picture: by drag, or with the three sliders. */
export function CropDialog({ picture, onDone, onClose }: CropDialogProps) {
  const t = useTexts('users')
  const [crop, setCrop] = useState<Crop>(WHOLE)
  const [busy, during] = useBusy()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, picture, crop)
  }, [picture, crop])
  function drag(event: PointerEvent<HTMLCanvasElement>) {
    if (event.buttons !== 1) return
    const scale = computeCropSquare(picture, crop).side / event.currentTarget.clientWidth
    setCrop(moveCrop(picture, crop, event.movementX * scale, event.movementY * scale))
  }
  const take = () =>
    during(async () => {
      onDone(await cropPicture(picture, crop))
      onClose()
    })
  const sliders = [
    ['zoom', 1, MOST_ZOOM],
    ['x', -1, 1],
    ['y', -1, 1],
  ] as const
  return (
    <Dialog
      title={t('picture.title')}
      intro={t('picture.intro')}
      width={404}
      onClose={onClose}
      onSubmit={take}
      footer={<FormButtons action={t('picture.use')} busy={busy} onClose={onClose} />}
    >
      <div className="grid gap-3">
        <canvas
          ref={canvas}
          width={SIDE}
          height={SIDE}
          role="img"
          aria-label={t('picture.preview')}
          className="size-56 cursor-move touch-none justify-self-center rounded-full border border-line bg-sunken"
          onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={drag}
        />
        {sliders.map(([name, least, most]) => (
          <Field key={name} label={t(`picture.${name}`)}>
            <Slider
              value={crop[name]}
              least={least}
              most={most}
              onChange={value => setCrop({ ...crop, [name]: value })}
            />
          </Field>
        ))}
      </div>
    </Dialog>
  )
}

interface SliderProps {
  readonly value: number
  readonly least: number
  readonly most: number
  readonly onChange: (value: number) => void
}

function Slider({ value, least, most, onChange }: SliderProps) {
  return (
    <input
      {...useFieldIds()}
      type="range"
      min={least}
      max={most}
      step={0.02}
      value={value}
      onChange={event => onChange(event.target.valueAsNumber)}
      className="w-full accent-primary"
    />
  )
}
