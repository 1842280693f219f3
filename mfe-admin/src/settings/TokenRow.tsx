import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, ConfirmDialog, copyText, IconButton, TextInput } from '@balcao/ui/parts'
import { SettingRow } from '@balcao/ui/screens'
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { keepDrafts, useStoredDraft } from './drafts.ts'
import { type RowProps, useRowWords } from './row.ts'

/** One that was made and not copied yet, by its item: who leaves without having copied it finds it again. */
export const tokens = keepDrafts<string | null>()

/** The token of the external API: shown once when it is made, then only by its end; changed for another, taken away. */
export function TokenRow(props: RowProps) {
  const { desk, item } = props
  const t = useTexts('settings')
  const words = useRowWords(props)
  const [fresh, setFresh, forget] = useStoredDraft(tokens, item.id, null)
  const [asking, ask] = useState<'rotate' | 'remove' | null>(null)
  const [busy, during] = useBusy()
  const masked = desk.text('userApiToken')

  const write = (value: 'new' | '') =>
    during(async () => {
      ask(null)
      const version = desk.versionOf(['userApiToken']).userApiToken ?? 0
      const { value: token, ...saved } = await api('PUT /settings/:key', {
        params: { key: 'userApiToken' },
        body: { value, version },
      })
      setFresh(token === '' ? null : token)
      desk.done([{ ...saved, value: token === '' ? '' : `••••${token.slice(-4)}` }])
    })

  return (
    <>
      <SettingRow
        {...words}
        below={
          <div className="grid gap-2">
            {fresh && (
              <p className="m-0 rounded-field bg-brass-tint px-3 py-2 text-cell text-brass-text" role="alert">
                {t('token.once')}
              </p>
            )}
            {(fresh ?? masked) !== '' && (
              <ReadOnly label={words.name} text={fresh ?? masked} mayCopy={fresh !== null} onCopied={forget} />
            )}
            <div className="flex flex-wrap gap-2">
              {masked === '' ? (
                <Button size="small" busy={busy} onClick={() => write('new')}>
                  {t('token.make')}
                </Button>
              ) : (
                <>
                  <Button size="small" busy={busy} onClick={() => ask('rotate')}>
                    {t('token.rotate')}
                  </Button>
                  <Button size="small" kind="plain" className="text-danger" onClick={() => ask('remove')}>
                    {t('token.remove')}
                  </Button>
                </>
              )}
            </div>
          </div>
        }
      />
      {asking && (
        <ConfirmDialog
          title={t(`token.${asking}Title`)}
          text={t(`token.${asking}Text`)}
          action={t(`token.${asking}`)}
          onConfirm={() => write(asking === 'rotate' ? 'new' : '')}
          onClose={() => ask(null)}
        />
      )}
    </>
  )
}

/** Where other programs reach the server. */
export function AddressRow(props: RowProps) {
  const words = useRowWords(props)
  return <SettingRow {...words} below={<ReadOnly label={words.name} text={location.origin} mayCopy />} />
}

function ReadOnly({
  label,
  text,
  mayCopy,
  onCopied,
}: {
  readonly label: string
  readonly text: string
  readonly mayCopy: boolean
  readonly onCopied?: () => void
}) {
  const t = useTexts('settings')
  return (
    <TextInput
      readOnly
      aria-label={label}
      className="font-mono"
      value={text}
      onChange={() => undefined}
      onFocus={event => event.currentTarget.select()}
      after={
        mayCopy && (
          <IconButton
            icon={Copy}
            label={t('copy', { name: label })}
            onClick={() => void copyText(text).then(done => done && onCopied?.())}
          />
        )
      }
    />
  )
}
