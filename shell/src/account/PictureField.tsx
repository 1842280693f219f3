import { upload } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, toast } from '@balcao/ui/parts'
import { session, useUser } from '@balcao/ui/session'
import { Camera } from 'lucide-react'
import { useRef } from 'react'

/** The own picture with its button; what is chosen is sent at once. `name`: as it is being written. */
export function PictureField({ name }: { readonly name: string }) {
  const t = useTexts('shell')
  const { id, profilePicUrl } = useUser()
  const picture = usePicture(id)
  const file = useRef<HTMLInputElement>(null)
  return (
    <div className="s-profile-picture">
      <Avatar id={id} name={name} photo={profilePicUrl} size={72} />
      <div>
        <input
          ref={file}
          type="file"
          hidden
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={event => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            if (chosen) picture.send(chosen)
          }}
        />
        <Button size="small" icon={Camera} busy={picture.busy} onClick={() => file.current?.click()}>
          {t(profilePicUrl ? 'account.picture' : 'account.firstPicture')}
        </Button>
        <p className="b-hint">{t('account.pictureHint')}</p>
      </div>
    </div>
  )
}

function usePicture(id: number) {
  const t = useTexts('shell')
  const [busy, during] = useBusy()
  const send = (file: File) =>
    during(async () => {
      const body = new FormData()
      body.append('medias', file)
      const { profilePicUrl } = await upload('POST /users/picture/:id', { params: { id }, body })
      if (session.user?.id === id) session.user.profilePicUrl = profilePicUrl
      toast.success(t('account.pictureSaved'))
    })
  return { busy, send }
}
