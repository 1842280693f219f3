import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { MonoChip } from '@balcao/ui/screens'
import { Check, Copy } from 'lucide-react'
import { ShownOnceDialog } from '../shown-once/ShownOnceDialog.tsx'

interface OneTimePasswordsProps {
  readonly people: readonly { readonly name: string; readonly email?: string; readonly password: string }[]
  readonly onClose: () => void
}

/** One-time passwords, each beside whose it is. */
export function OneTimePasswords({ people, onClose }: OneTimePasswordsProps) {
  const t = useTexts('users')
  const count = people.length
  const [only] = count === 1 ? people : []
  const all = people.map(({ name, email, password }) => [name, email, password].filter(Boolean).join('\t')).join('\n')
  return (
    <ShownOnceDialog
      words={{
        title: t('oneTime.title', { count }),
        intro: t('oneTime.intro', { count }),
        copy: t('oneTime.copyAll', { count }),
        question: t('oneTime.question', { count }),
        done: t('oneTime.done'),
        confirm: t('oneTime.kept'),
        back: t('oneTime.back'),
      }}
      width={only ? 440 : 560}
      secrets={people.map(({ password }) => password)}
      text={only?.password ?? all}
      onClose={onClose}
    >
      {({ copied, copy }) => (
        <ul className="m-0 grid list-none gap-1 p-0">
          {people.map(({ name, email, password }) => (
            <li
              key={email ?? name}
              className="flex min-h-10 flex-wrap items-center gap-2.5 border-line not-first:border-t"
            >
              <span className="min-w-0 flex-1">
                <bdi className="block truncate text-body font-semibold">{name}</bdi>
                {email && <span className="block truncate text-small text-text-2">{email}</span>}
              </span>
              <MonoChip>{password}</MonoChip>
              {!only && (
                <IconButton
                  icon={copied.has(password) ? Check : Copy}
                  size="small"
                  label={t('oneTime.copy', { name })}
                  onClick={() => copy(password)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </ShownOnceDialog>
  )
}
