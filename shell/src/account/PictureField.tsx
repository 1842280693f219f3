import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, toast } from '@balcao/ui/parts'
import { PictureButton, sendPicture } from '@balcao/ui/screens'
import { session, useUser } from '@balcao/ui/session'

/** The own picture with its button; what is chosen is sent at once. `name`: as it is being written. */
export function PictureField({ name }: { readonly name: string }) {
  const t = useTexts('shell')
  const { id, profilePicUrl } = useUser()
  const picture = usePicture(id)
  return (
    <div className="s-profile-picture">
      <Avatar id={id} name={name} photo={profilePicUrl} size={72} />
      <div>
        <PictureButton
          size="small"
          busy={picture.busy}
          label={t(profilePicUrl ? 'account.picture' : 'account.firstPicture')}
          onChoose={picture.send}
        />
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
      const { profilePicUrl } = await sendPicture(id, file)
      if (session.user?.id === id) session.user.profilePicUrl = profilePicUrl
      toast.success(t('account.pictureSaved'))
    })
  return { busy, send }
}
