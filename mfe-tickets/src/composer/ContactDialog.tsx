// Sending somebody of the contacts as a card: search, choose, send (spec 1 §2).

import type { Contact, Ticket } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { LIMITS } from '@balcao/contract/kit/limits'
import { isComposing } from '@balcao/ui/actions'
import { api } from '@balcao/ui/api'
import { useBusy, useContacts, useEarlyEnter } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Avatar, Dialog, FormButtons, SearchInput } from '@balcao/ui/parts'
import { type KeyboardEvent, useState } from 'react'
import { takeMessage } from '../conversation/conversation-store.ts'
import './late.ts'
import { nameContact } from '../tickets/name-contact.ts'
import { useClientId } from './use-client-id.ts'

interface ContactDialogProps {
  readonly ticket: Ticket
  readonly onClose: () => void
}

export default function ContactDialog({ ticket, onClose }: ContactDialogProps) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Contact | null>(null)
  const [busy, during] = useBusy()
  const nameContent = useClientId()
  const { contacts, now, error, isAsked } = useContacts(search)
  // Groups have no card.
  const found = contacts.filter(contact => !contact.isGroup && contact.number)
  const early = useEarlyEnter(now !== null || error !== null, () => now && setChosen(found[0] ?? null))
  const none = now && found.length === 0 ? t('contactCard.none') : ''
  const note = isAsked ? (error ? describeError(error) : none) : t('contactCard.hint', { least: LIMITS.searchMinimum })

  const send = () =>
    during(async () => {
      if (!chosen) return
      const body = { contactId: chosen.id, clientId: nameContent(chosen.id) }
      takeMessage(await api('POST /messages/vcard/:ticketId', { params: { ticketId: ticket.id }, body }))
      onClose()
    })

  /** Enter chooses the first that is found for just these words, and Enter again sends. */
  function choose(event: KeyboardEvent) {
    if (event.key !== 'Enter' || isComposing(event.nativeEvent) || chosen || !isAsked) return
    event.preventDefault()
    early.press()
  }

  return (
    <Dialog
      title={t('contactCard.title')}
      intro={t('contactCard.intro', { name: nameContact(ticket.contact) })}
      onClose={onClose}
      onSubmit={send}
      footer={<FormButtons action={t('contactCard.send')} disabled={!chosen} busy={busy} onClose={onClose} />}
    >
      <SearchInput
        label={t('contactCard.search')}
        value={search}
        data-autofocus=""
        onChange={text => {
          setSearch(text)
          setChosen(null)
          early.drop()
        }}
        onKeyDown={choose}
      />
      <p className="k-quick-none" role="status">
        {note}
      </p>
      <ul className="k-choices" aria-label={t('contactCard.found')}>
        {found.map(contact => (
          <li key={contact.id}>
            <button
              type="button"
              className={contact === chosen ? 'k-choice is-chosen' : 'k-choice'}
              aria-pressed={contact === chosen}
              onClick={() => setChosen(contact)}
            >
              <Avatar id={contact.id} name={contact.name} photo={contact.profilePicUrl} size={34} />
              <span className="k-choice-text">
                <strong>{contact.name || t('noName')}</strong>
                <span>{contact.number && formatPhone(contact.number)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
