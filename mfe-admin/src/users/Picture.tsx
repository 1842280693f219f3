import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, toast } from '@balcao/ui/parts'
import { Camera } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { CropDialog } from './CropDialog.tsx'
import type { Person } from './list.ts'

interface PictureProps {
  readonly person: Person | null
  readonly name: string
  readonly file: File | null
}

/** The face in the head of the form: the one that was just chosen, else the present one. */
export function Face({ person, name, file }: PictureProps) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setAddress(null)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  const photo = address ?? person?.profilePicUrl ?? null
  return <Avatar id={person?.id ?? 0} name={name || '?'} photo={photo} size={44} />
}

/** Chooses another picture and takes a square of it. */
export function PictureButton({ onChange }: { readonly onChange: (file: File) => void }) {
  const t = useTexts('users')
  const input = useRef<HTMLInputElement>(null)
  const [chosen, choose] = useState<ImageBitmap | null>(null)
  async function look(file: File) {
    try {
      choose(await createImageBitmap(file))
    } catch {
      toast.error(t('picture.unreadable'))
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void look(file)
        }}
      />
      <Button
        kind="plain"
        icon={Camera}
        className="max-sm:[&_.b-button-word]:sr-only"
        onClick={() => input.current?.click()}
      >
        {t('picture.change')}
      </Button>
      {chosen && <CropDialog picture={chosen} onDone={onChange} onClose={() => choose(null)} />}
    </>
  )
}
