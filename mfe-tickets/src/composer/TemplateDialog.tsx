// Choosing a message template of the official API, filling its holes with the message in view, and sending it (spec 1 §2, §8).
import type { MessageTemplate, RequestBody, Ticket } from '@balcao/contract'
import { toPlainText } from '@balcao/contract/messages/whatsapp-text'
import { findUnsupportedPart, getTemplateBody } from '@balcao/contract/templates/template-form'
import { api } from '@balcao/ui/api'
import { useDebounced } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Bone, Button, Dialog, ErrorState, SearchInput, toast } from '@balcao/ui/parts'
import { LayoutTemplate } from 'lucide-react'
import { type UIEvent, useCallback, useState } from 'react'
import { usePages } from '../contact/use-pages.ts'
import { takeMessage } from '../conversation/conversation-store.ts'
import { TemplateFields } from './TemplateFields.tsx'
import { useClientId } from './use-client-id.ts'
import './late.ts'

const SEARCH_MS = 300
const NEAR_END = 100

interface TemplateDialogProps {
  readonly ticket: Ticket
  readonly onClose: () => void
}

export default function TemplateDialog({ ticket, onClose }: TemplateDialogProps) {
  const [chosen, setChosen] = useState<MessageTemplate | null>(null)
  const t = useTexts('tickets')
  const [busy, setBusy] = useState(false)
  const nameContent = useClientId()

  async function send(template: RequestBody<'POST /meta/templates'>['template']) {
    setBusy(true)
    try {
      const body = { ticketId: ticket.id, template, clientId: nameContent(template) }
      takeMessage(await api('POST /meta/templates', { body }))
      toast.success(t('template.sent'))
      onClose()
    } catch (error) {
      toast.error(t('template.failed'), { detail: describeError(error) })
      setBusy(false)
    }
  }

  if (chosen)
    return (
      <TemplateFields
        ticket={ticket}
        template={chosen}
        busy={busy}
        onSend={template => void send(template)}
        onBack={() => setChosen(null)}
        onClose={onClose}
      />
    )
  return <Choice ticket={ticket} onChoose={setChosen} onClose={onClose} />
}

/** One that nobody can fill in here is named with its reason. */
function Offered({ template, onChoose }: Pick<ChoiceProps, 'onChoose'> & { readonly template: MessageTemplate }) {
  const t = useTexts('tickets')
  const unusable = findUnsupportedPart(template)
  return (
    <li>
      <button type="button" className="k-choice" disabled={unusable !== null} onClick={() => onChoose(template)}>
        <LayoutTemplate size={16} strokeWidth={1.8} aria-hidden="true" />
        <span className="k-choice-text">
          <strong>{template.name}</strong>
          <span>{unusable ? t(`template.unusable.${unusable}`) : toPlainText(getTemplateBody(template), 200)}</span>
        </span>
        <span className="k-choice-note">{template.language.replace('_', '-')}</span>
      </button>
    </li>
  )
}

interface ChoiceProps extends TemplateDialogProps {
  readonly onChoose: (template: MessageTemplate) => void
}

function Choice({ ticket, onChoose, onClose }: ChoiceProps) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const found = useTemplates(ticket.id, useDebounced(search.trim(), SEARCH_MS))

  function scrolled(event: UIEvent<HTMLDivElement>) {
    const { scrollHeight, scrollTop, clientHeight } = event.currentTarget
    if (scrollHeight - scrollTop - clientHeight <= NEAR_END && found.hasMore) found.more()
  }

  return (
    <Dialog title={t('template.title')} intro={t('template.intro')} width={560} onClose={onClose}>
      <SearchInput label={t('template.search')} value={search} onChange={setSearch} data-autofocus="" />
      <div className="k-choices" onScroll={scrolled}>
        {found.error !== null && found.items === null && (
          <ErrorState title={t('template.notLoaded')} text={describeError(found.error)} onRetry={found.again} />
        )}
        {found.error === null && found.items === null && <Bone width="100%" height={48} />}
        {found.items?.length === 0 && (
          <p className="k-quick-none" role="status">
            {t(
              found.reason
                ? `template.reason.${found.reason}`
                : search.trim() === ''
                  ? 'template.none'
                  : 'template.noneFound',
            )}
          </p>
        )}
        <ul aria-label={t('template.title')}>
          {found.items?.map(template => (
            <Offered key={template.id} template={template} onChoose={onChoose} />
          ))}
        </ul>
        {found.hasMore && (
          <Button kind="plain" onClick={found.more}>
            {t('template.more')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

/** The templates of a ticket's connection, page by page; `reason`: why there are none. */
function useTemplates(ticketId: number, search: string) {
  const [reason, setReason] = useState<string | null>(null)
  const fetch = useCallback(
    async (cursor: string | null) => {
      const pageNumber = Number(cursor ?? 1)
      const query = { pageNumber, ...(search && { searchParam: search }) }
      const page = await api('GET /meta/templates/:ticketId', { params: { ticketId }, query })
      setReason(page.reason)
      return { items: page.templates, nextCursor: page.hasMore ? String(pageNumber + 1) : null }
    },
    [ticketId, search],
  )
  return { ...usePages(fetch, true), reason }
}
