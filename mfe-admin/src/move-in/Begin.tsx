import type { MoveIn, MoveInSource } from '@balcao/contract'
import { formatFileSize } from '@balcao/contract/messages/message-bodies'
import { MOVE_IN_NAMES, MOVE_IN_SOURCES } from '@balcao/contract/move-in/move-in'
import { api } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, Card, Field, Select } from '@balcao/ui/parts'
import { FileField } from '@balcao/ui/screens'
import { Upload } from 'lucide-react'
import { useState } from 'react'

interface BeginProps {
  /** Bytes of the largest dump. */
  readonly most: number
  readonly send: (file: File, move: MoveIn) => Promise<void>
  readonly again: () => void
}

/** From where, and its dump. */
export function Begin({ most, send, again }: BeginProps) {
  const t = useTexts('move-in')
  const shared = useTexts('move-in-shared')
  const [source, setSource] = useState<MoveInSource>('whaticket')
  const [file, setFile] = useState<File | null>(null)
  const [isAsked, setAsked] = useState(false)
  const [busy, during] = useBusy()
  const limit = formatFileSize(most, getLanguage())
  const command = `balcao import from ${source} ${source === 'whaticket' ? 'mysql' : 'postgres'}://…`
  const fault = findFault()

  function findFault(): string | null {
    if (!file) return isAsked ? t('begin.missing') : null
    if (file.size === 0) return t('begin.empty')
    return file.size > most ? t('begin.large', { most: limit }) : null
  }

  async function begin(chosen: File) {
    const openTag = shared('openTag', { source: MOVE_IN_NAMES[source] })
    const body = { source, name: chosen.name, size: chosen.size, openTag }
    const move = await api('POST /move-in', { body })
    again()
    void send(chosen, move)
  }

  return (
    <Card title={t('begin.title')} text={t('begin.text')}>
      <form
        className="grid gap-4 px-5 py-4.5"
        onSubmit={event => {
          event.preventDefault()
          setAsked(true)
          if (file && fault === null) during(() => begin(file))
        }}
      >
        <Field label={t('begin.source')}>
          <Select
            options={MOVE_IN_SOURCES.map(value => ({ value, label: MOVE_IN_NAMES[value] }))}
            value={source}
            onChange={chosen => chosen && setSource(chosen)}
            className="w-full sm:w-64"
          />
        </Field>
        <Field label={t('begin.file')} hint={t('begin.hint', { most: limit })} error={fault}>
          <FileField value={file} onChange={setFile} />
        </Field>
        <div>
          <Button type="submit" kind="primary" icon={Upload} busy={busy}>
            {t('begin.send')}
          </Button>
        </div>
        <p className="m-0 text-small break-words text-text-2">{t('begin.here', { command })}</p>
      </form>
    </Card>
  )
}
