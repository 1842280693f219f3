import { upload } from '@balcao/ui/api'
import { Button } from '@balcao/ui/parts'
import { Camera } from 'lucide-react'
import { type ComponentProps, useRef } from 'react'

interface PictureButtonProps extends Pick<ComponentProps<typeof Button>, 'kind' | 'size' | 'busy' | 'className'> {
  readonly label: string
  readonly onChoose: (file: File) => void
}

/** Asks the device for a person's picture. */
export function PictureButton({ label, onChoose, ...button }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={event => {
          const file = event.target.files?.[0]
          // The same one can be chosen once more.
          event.target.value = ''
          if (file) onChoose(file)
        }}
      />
      <Button {...button} icon={Camera} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

/** Sends somebody's picture; where it lies now. */
export function sendPicture(id: number, picture: File) {
  const body = new FormData()
  body.set('medias', picture, picture.name)
  return upload('POST /users/picture/:id', { params: { id }, body })
}
