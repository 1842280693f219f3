// What the customer is to choose from, written a line each, beside how this connection shows it.
import type { MessageCardByKind, Ticket } from '@balcao/contract'
import { getCapabilities } from '@balcao/contract/connections/kinds'
import { appendMenu } from '@balcao/contract/follow-up/answers'
import { chooseMenuForm, MENU_MOST, type Menu } from '@balcao/contract/follow-up/menu-form'
import { areChoicesClear, type Choices, parseChoices, toMenu } from '@balcao/contract/messages/choices'
import { describeFault } from '@balcao/ui/catalogue'
import { useTexts } from '@balcao/ui/i18n'
import { Dialog, Field, FormButtons, TextArea } from '@balcao/ui/parts'
import { useLeaveQuestion } from '@balcao/ui/screens'
import { session } from '@balcao/ui/session'
import { useState } from 'react'
import { getStores } from '../desk/stores.ts'
import { Actions } from '../message/cards/Actions.tsx'
import '../message/cards/texts.ts'
import { FormattedText } from '../message/FormattedText.tsx'
import { isSigning } from './drafts.ts'
import './late.ts'
import { useWords } from './use-words.ts'
import { composeBody, fillWords, getSignature, listBlanks } from './wording.ts'

interface ChoicesDialogProps {
  readonly ticket: Ticket
  readonly onClose: () => void
}

export function ChoicesDialog({ ticket, onClose }: ChoicesDialogProps) {
  const t = useTexts('tickets')
  const words = useWords(ticket)
  const [text, setText] = useState('')
  const [lines, setLines] = useState('')
  const [isTried, setTried] = useState(false)
  const { close, question } = useLeaveQuestion(text.trim() !== '' || lines.trim() !== '', onClose)
  const choices = parseChoices(lines)
  const filled = (written: string) => {
    const values = words()
    return values ? fillWords(written, values) : written
  }
  const body = composeBody(filled(text), isSigning() ? getSignature(session.user?.name ?? '') : null)
  const [blank] = [...listBlanks(text), ...listBlanks(lines)]
  const textFault =
    text.trim() === '' ? describeFault('schema.fieldRequired') : blank && t('composer.fillIn', { name: blank.name })
  const fault = findFault(choices, t)

  function send() {
    setTried(true)
    if (textFault || fault) return
    getStores().outgoing.add({ ticketId: ticket.id, body, quoted: null, choices })
    onClose()
  }

  return (
    <Dialog
      title={t('action.choices')}
      intro={t('choices.intro')}
      width={560}
      onClose={close}
      onSubmit={send}
      footer={question ?? <FormButtons action={t('composer.send')} onClose={close} />}
    >
      <div className="k-template-fields">
        <Field label={t('choices.words')} error={isTried ? textFault : undefined} required>
          <TextArea value={text} onChange={setText} rows={2} maxLength={MENU_MOST.words} data-autofocus="" />
        </Field>
        <Field
          label={t('choices.lines')}
          hint={t('choices.hint', { most: MENU_MOST.rows })}
          error={isTried ? fault : undefined}
          required
        >
          <TextArea value={lines} onChange={setLines} rows={4} maxLength={2000} />
        </Field>
      </div>
      {choices.length > 0 && fault === undefined && (
        <section className="k-template-view" aria-label={t('composer.readAs')}>
          <div className="m-bubble">
            <Preview menu={toMenu(body, choices)} isPressed={getCapabilities(ticket.whatsapp.api).menus} />
          </div>
        </section>
      )}
    </Dialog>
  )
}

interface PreviewProps {
  readonly menu: Menu
  readonly isPressed: boolean
}

function Preview({ menu, isPressed }: PreviewProps) {
  const form = isPressed ? chooseMenuForm(menu) : null
  if (!form) return <FormattedText text={appendMenu(menu.words, menu.options)} />
  const sections = form.sections.map(({ title, choices }) => {
    const buttons = choices.map(each => ({ text: [each.title, each.description].filter(Boolean).join(' - ') }))
    return { ...(title !== undefined && { header: title }), text: '', buttons }
  })
  const [first] = sections
  const shown = form.as === 'buttons' ? { buttons: first?.buttons ?? [] } : { buttons: [], cards: sections }
  const card: MessageCardByKind<'actions'> = { kind: 'actions', text: form.words, ...shown }
  return <Actions card={card} />
}

/** What is wrong with them, said to who writes them. */
function findFault(choices: Choices, t: ReturnType<typeof useTexts>): string | undefined {
  const { rows, underRow, onSection } = MENU_MOST
  if (choices.length === 0) return describeFault('schema.fieldRequired')
  if (choices.length > rows) return t('choices.tooMany', { most: rows })
  const long = choices.find(({ name }) => name.length > underRow)
  if (long) return t('choices.tooLong', { name: long.name.slice(0, onSection), most: underRow })
  const title = choices.find(({ section = '' }) => section.length > onSection)?.section
  if (title) return t('choices.tooLong', { name: title.slice(0, onSection), most: onSection })
  return areChoicesClear(choices) ? undefined : t('choices.unclear')
}
