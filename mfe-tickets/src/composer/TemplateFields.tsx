// The holes of a template as fields, beside the message as the customer will see it.

import type { ChosenTemplate, MessageTemplate, Ticket } from '@balcao/contract'
import { parseTemplateMessage } from '@balcao/contract/messages/message-bodies'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, Dialog, Field, TextInput } from '@balcao/ui/parts'
import { useLeaveQuestion } from '@balcao/ui/screens'
import { Paperclip } from 'lucide-react'
import { useRef, useState } from 'react'
import { Actions } from '../message/cards/Actions.tsx'
import '../message/cards/texts.ts'
import {
  extractTemplateParameters,
  fillTemplate,
  getHeaderFileKind,
  type HeaderFileKind,
  type TemplateParameter,
  toChosenTemplate,
} from '@balcao/contract/templates/template-form'
import { server } from '../server.ts'
import { useWords } from './use-words.ts'
import { fillWords } from './wording.ts'

const ACCEPT: Record<HeaderFileKind, string> = { image: 'image/jpeg,image/png', video: 'video/mp4', document: '' }

interface TemplateFieldsProps {
  readonly ticket: Ticket
  readonly template: MessageTemplate
  readonly busy: boolean
  readonly onSend: (template: ChosenTemplate) => void
  readonly onBack: () => void
  readonly onClose: () => void
}

export function TemplateFields({ ticket, template, busy, onSend, onBack, onClose }: TemplateFieldsProps) {
  const t = useTexts('tickets')
  const words = useWords(ticket)
  const [guessed] = useState(() => guessParameters(template, ticket))
  const [typed, setTyped] = useState<ReadonlyMap<string, string>>(guessed)
  const { close, question } = useLeaveQuestion(typed !== guessed, onClose)
  const [isRequested, setAsked] = useState(false)
  const upload = useUpload(ticket.id)
  const holes = extractTemplateParameters(template)
  const header = getHeaderFileKind(template)
  const values = new Map([...typed].map(([key, value]) => [key, filled(value)]))
  const empty = (hole: TemplateParameter) => (values.get(hole.key)?.trim() ?? '') === ''

  function filled(value: string): string {
    const now = words()
    return now ? fillWords(value, now) : value
  }

  function send() {
    setAsked(true)
    if (holes.some(empty) || (header && !upload.done)) return
    onSend(toChosenTemplate(template, values, upload.done?.uploadId ?? null))
  }

  return (
    <Dialog
      title={template.name}
      intro={t(holes.length > 0 || header ? 'template.fill' : 'template.ready')}
      width={560}
      onClose={close}
      onSubmit={send}
      footer={
        question ?? (
          <>
            <Button kind="plain" onClick={onBack}>
              {t('template.back')}
            </Button>
            <Button kind="primary" type="submit" busy={busy || upload.busy}>
              {t('template.send')}
            </Button>
          </>
        )
      }
    >
      <div className="k-template-fields">
        {header && (
          <Field
            label={t(`template.header.${header}`)}
            error={
              upload.problem ?? (isRequested && !upload.done && !upload.busy ? t('template.fileRequired') : undefined)
            }
          >
            <HeaderFileInput accept={ACCEPT[header]} name={upload.done?.name ?? null} onFile={upload.start} />
          </Field>
        )}
        {holes.map(hole => (
          <Field
            key={hole.key}
            label={formatParameterLabel(hole, t)}
            hint={hole.example === '' ? undefined : t('template.example', { text: hole.example })}
            error={isRequested && empty(hole) ? describeFault('schema.fieldRequired') : undefined}
          >
            <TextInput
              value={typed.get(hole.key) ?? ''}
              maxLength={1024}
              onChange={value => setTyped(new Map(typed).set(hole.key, value))}
            />
          </Field>
        ))}
      </div>
      <section className="k-template-view" aria-label={t('composer.readAs')}>
        <div className="m-bubble">
          <Actions {...parseTemplateMessage({ components: fillTemplate(template, values) }, template.name)} />
        </div>
      </section>
    </Dialog>
  )
}

interface HeaderFileInputProps {
  readonly accept: string
  readonly name: string | null
  readonly onFile: (file: File) => void
}

function HeaderFileInput({ accept, name, onFile }: HeaderFileInputProps) {
  const t = useTexts('tickets')
  const chooser = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon={Paperclip} onClick={() => chooser.current?.click()}>
        {name ?? t('template.chooseFile')}
      </Button>
      <input
        ref={chooser}
        type="file"
        hidden
        accept={accept}
        aria-label={t('template.chooseFile')}
        onChange={event => {
          const file = event.target.files?.[0]
          if (file) onFile(file)
          event.target.value = ''
        }}
      />
    </>
  )
}

/** The file of the header goes up while the rest is filled in. */
function useUpload(ticketId: number) {
  const [done, setDone] = useState<{ readonly uploadId: string; readonly name: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  async function start(file: File) {
    setBusy(true)
    setProblem(null)
    try {
      setDone({ uploadId: await server.upload(file, ticketId, false, () => {}), name: file.name })
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      setBusy(false)
    }
  }
  return { done, busy, problem, start: (file: File) => void start(file) }
}

/** A word that says it is a name gets the customer's. */
function guessParameters(template: MessageTemplate, ticket: Ticket): Map<string, string> {
  const named = extractTemplateParameters(template).filter(({ word }) =>
    /^(nome|name|nombre|cliente|customer)$/i.test(word),
  )
  return new Map(named.map(({ key }) => [key, ticket.contact.name]))
}

function formatParameterLabel(hole: TemplateParameter, t: ReturnType<typeof useTexts>): string {
  if (hole.word === '#') return t('template.code', { button: hole.button })
  const name = /^\d+$/.test(hole.word) ? t('template.nth', { n: hole.word }) : hole.word
  if (hole.part === 'button') return t('template.inButton', { name, button: hole.button })
  return hole.part === 'header' ? t('template.inHeader', { name }) : t('template.inBody', { name })
}
