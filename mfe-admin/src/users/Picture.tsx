import { useTexts } from '@balcao/ui/i18n'
import { Avatar, toast } from '@balcao/ui/parts'
import { PictureButton } from '@balcao/ui/screens'
import { useEffect, useState } from 'react'
import { CropDialog } from './CropDialog.tsx'
import type { TeamMember } from './list.ts'

interface PictureProps {
  readonly person: TeamMember | null
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
export function CroppedPicture({ onChange }: { readonly onChange: (file: File) => void }) {
  const t = useTexts('users')
  const [chosen, choose] = useState<ImageBitmap | null>(null)
  async function read(file: File) {
    try {
      choose(await createImageBitmap(file))
    } catch {
      toast.error(t('picture.unreadable'))
    }
  }
  return (
    <>
      <PictureButton
        kind="plain"
        className="max-sm:[&_.b-button-word]:sr-only"
        label={t('picture.change')}
        onChoose={file => void read(file)}
      />
      {chosen && <CropDialog picture={chosen} onDone={onChange} onClose={() => choose(null)} />}
    </>
  )
}
