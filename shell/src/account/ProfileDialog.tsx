import { openWire } from '@balcao/contract/wire-secret'
import { upload } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { canSeal } from '@balcao/ui/browser'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Button, Dialog, toast } from '@balcao/ui/parts'
import { session, useSession, useUser } from '@balcao/ui/session'
import { Camera, KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { openAccount } from './account.ts'
import './late.ts'

/** Who one is here, with the picture colleagues see. */
export default function ProfileDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('shell')
  const user = useUser()
  const email = useEmail(user.email)
  const picture = usePicture(user.id)
  const file = useRef<HTMLInputElement>(null)
  const facts = [
    [t('account.name'), user.name],
    [t('account.email'), email],
    [t('account.profile'), t(`profile.${user.profile}`)],
    [t('account.queues'), user.queues.map(queue => queue.name).join(', ') || t('account.noQueues')],
  ] as const
  return (
    <Dialog
      title={t('account.title')}
      onClose={onClose}
      footer={
        <Button icon={KeyRound} onClick={() => openAccount('password')}>
          {t('password.title')}
        </Button>
      }
    >
      <div className="s-profile-picture">
        <Avatar id={user.id} name={user.name} photo={user.profilePicUrl} size={72} />
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
            {t('account.picture')}
          </Button>
          <p className="b-hint">{t('account.pictureHint')}</p>
        </div>
      </div>
      <dl className="s-profile-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** The e-mail as people read it; on the wire it is sealed (decisions §2), and without https a browser cannot open it. */
function useEmail(sealed: string) {
  const t = useTexts('shell')
  const { wireSecret } = useSession()
  const [email, setEmail] = useState('')
  useEffect(() => {
    if (!canSeal()) return setEmail(t('account.emailSealed'))
    let current = true
    void openWire(wireSecret ?? '', sealed).then(text => current && setEmail(text ?? sealed))
    return () => {
      current = false
    }
  }, [sealed, wireSecret, t])
  return email
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
