import { useTexts } from '@balcao/ui/i18n'
import { Button, copyText, Dialog, IconButton } from '@balcao/ui/parts'
import { MonoChip, useHeldPage } from '@balcao/ui/screens'
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'

interface OneTimePasswordsProps {
  readonly people: readonly { readonly name: string; readonly email?: string; readonly password: string }[]
  readonly onClose: () => void
}

/** One-time passwords, shown this once: nobody can ask for them again, so they go only when all were copied, or somebody says they are kept. */
export function OneTimePasswords({ people, onClose }: OneTimePasswordsProps) {
  const t = useTexts('users')
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set())
  const [isAsking, setAsking] = useState(false)
  const isKept = people.every(({ password }) => copied.has(password))
  const all = people.map(({ name, email, password }) => [name, email, password].filter(Boolean).join('\t')).join('\n')
  const [only] = people.length === 1 ? people : []
  useHeldPage(!isKept)

  async function copy(text: string, passwords: readonly string[]) {
    if (!(await copyText(text))) return
    setCopied(old => new Set([...old, ...passwords]))
    setAsking(false)
  }

  return (
    <Dialog
      title={t('oneTime.title', { count: people.length })}
      intro={t('oneTime.intro', { count: people.length })}
      width={people.length > 1 ? 560 : 440}
      // Escape, the cross and a press beside it ask, however often.
      onClose={() => (isKept ? onClose() : setAsking(true))}
      className="is-form"
      footer={
        isAsking ? (
          <>
            <strong className="b-foot-question" role="alert">
              {t('oneTime.question', { count: people.length })}
            </strong>
            <Button kind="plain" onClick={onClose}>
              {t('oneTime.kept')}
            </Button>
            <Button kind="primary" ref={button => button?.focus()} onClick={() => setAsking(false)}>
              {t('oneTime.back')}
            </Button>
          </>
        ) : (
          <>
            <Button
              icon={Copy}
              data-autofocus=""
              onClick={() =>
                void copy(
                  only?.password ?? all,
                  people.map(({ password }) => password),
                )
              }
            >
              {t('oneTime.copyAll', { count: people.length })}
            </Button>
            <Button kind="primary" onClick={() => (isKept ? onClose() : setAsking(true))}>
              {t('oneTime.done')}
            </Button>
          </>
        )
      }
    >
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
                onClick={() => void copy(password, [password])}
              />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
