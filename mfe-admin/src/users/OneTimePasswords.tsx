import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Dialog, IconButton } from '@balcao/ui/parts'
import { MonoChip } from '@balcao/ui/screens'
import { Copy } from 'lucide-react'

interface OneTimePasswordsProps {
  readonly people: readonly { readonly name: string; readonly email?: string; readonly password: string }[]
  readonly onClose: () => void
}

/** One-time passwords, shown this once: nobody can ask for them again. */
export function OneTimePasswords({ people, onClose }: OneTimePasswordsProps) {
  const t = useTexts('users')
  const all = people.map(({ name, email, password }) => [name, email, password].filter(Boolean).join('\t')).join('\n')
  return (
    <Dialog
      title={t('oneTime.title', { count: people.length })}
      intro={t('oneTime.intro')}
      width={people.length > 1 ? 560 : 440}
      onClose={onClose}
      footer={
        <>
          {people.length > 1 && (
            <Button icon={Copy} onClick={() => void copyText(all)}>
              {t('oneTime.copyAll')}
            </Button>
          )}
          <Button kind="primary" onClick={onClose}>
            {t('oneTime.done')}
          </Button>
        </>
      }
    >
      <ul className="m-0 grid list-none gap-1 p-0">
        {people.map(({ name, email, password }) => (
          <li
            key={email ?? name}
            className="flex min-h-10 flex-wrap items-center gap-2.5 border-line not-first:border-t"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-body font-semibold">{name}</span>
              {email && <span className="block truncate text-small text-text-2">{email}</span>}
            </span>
            <MonoChip>{password}</MonoChip>
            <IconButton
              icon={Copy}
              size="small"
              label={t('oneTime.copy', { name })}
              onClick={() => void copyText(password)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
