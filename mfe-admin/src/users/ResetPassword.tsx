import { api } from '@balcao/ui/api'
import { useTexts } from '@balcao/ui/i18n'
import { ConfirmDanger } from '@balcao/ui/screens'
import { useState } from 'react'
import type { TeamMember } from './list.ts'
import { OneTimePasswords } from './OneTimePasswords.tsx'

/** Asks, then shows the one-time password this once (decisions §2). */
export function ResetPassword({ person, onClose }: { readonly person: TeamMember; readonly onClose: () => void }) {
  const t = useTexts('users')
  const [password, setPassword] = useState<string | null>(null)
  const { id, name } = person
  if (password) return <OneTimePasswords people={[{ name, password }]} onClose={onClose} />
  async function reset() {
    setPassword((await api('POST /users/reset/:id', { params: { id } })).password)
    return false
  }
  return (
    <ConfirmDanger
      title={t('reset.title', { name })}
      text={t('reset.text')}
      action={t('reset.action')}
      onConfirm={reset}
      onClose={onClose}
    />
  )
}
