import type { MoveIn } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, TextInput } from '@balcao/ui/parts'
import { describeJobFault } from '@balcao/ui/screens'
import { useState } from 'react'

interface FilesProps {
  readonly move: MoveIn
  readonly again: () => void
}

const COMMAND = 'balcao import files /home/…/public'

/** Files follow the texts: from the old desk's address here, from a folder by the terminal. */
export function Files({ move: { id, source, counts, error }, again }: FilesProps) {
  const t = useTexts('move-in')
  const { file: files = 0, fileNamed: named = 0 } = counts
  const [address, setAddress] = useState('')
  const [isWrong, setWrong] = useState(false)
  const [busy, during] = useBusy()
  if (named === 0) return null
  const isOpen = files < named

  function fetchFiles() {
    const isAddress = /^https:\/\/[^\s/?#@]+(?:[/?#]\S*)?$/.test(address.trim())
    setWrong(!isAddress)
    if (!isAddress) return
    during(() => api('POST /move-in/:id/files', { params: { id }, body: { address: address.trim() } }).finally(again))
  }

  return (
    <form
      className="grid gap-3 border-t border-line pt-4"
      onSubmit={event => {
        event.preventDefault()
        fetchFiles()
      }}
    >
      <div>
        <h3 className="m-0 text-cell font-semibold text-ink">{t('files.title')}</h3>
        <p className="m-0 mt-0.5 text-cell text-text-2">{t('files.named', { named, files })}</p>
        {error && <p className="m-0 mt-0.5 text-cell text-danger">{describeJobFault(error)}</p>}
      </div>
      {isOpen && source !== 'chatwoot' && (
        <>
          <Field label={t('files.label')} hint={t('files.hint')} error={isWrong ? t('files.wrong') : null}>
            <TextInput
              value={address}
              onChange={setAddress}
              type="url"
              inputMode="url"
              autoComplete="off"
              placeholder="https://"
              maxLength={2000}
            />
          </Field>
          <div>
            <Button type="submit" busy={busy}>
              {t('files.fetch')}
            </Button>
          </div>
        </>
      )}
      {isOpen && <p className="m-0 text-small break-words text-text-2">{t('files.folder', { command: COMMAND })}</p>}
    </form>
  )
}
