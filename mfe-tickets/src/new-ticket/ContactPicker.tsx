// Whom to write to: found by name or number, or a number that is not yet a contact.

import type { Contact } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { mayBeNumber } from '@balcao/contract/contacts/split-numbers'
import { isComposing } from '@balcao/ui/actions'
import { useContacts, useEarlyEnter } from '@balcao/ui/ask'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Avatar, Chips, IconButton, SearchInput } from '@balcao/ui/parts'
import { X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { NumberOffer, type NumberOfferHandle } from './NumberOffer.tsx'
import type { ConversationRequest } from './state.ts'

interface ContactPickerProps {
  readonly wish: ConversationRequest
  readonly chosen: Contact | null
  readonly whatsappId: number | null
  readonly onChange: (contact: Contact | null) => void
  /** Enter chose whoever it is: the conversation begins once that is known. */
  readonly onEnter: () => void
  /** It is nobody. */
  readonly onNone: () => void
  readonly onFound: (contact: Contact) => void
}

export function ContactPicker({ wish, chosen, whatsappId, onChange, onEnter, onNone, onFound }: ContactPickerProps) {
  const t = useTexts('tickets')
  const [text, setText] = useState(wish.number ?? '')
  const [at, setAt] = useState(0)
  const { now: found, error, isAsked } = useContacts(chosen ? '' : text)
  const offer = useRef<NumberOfferHandle>(null)
  const number = mayBeNumber(text) ? text.trim() : null
  const contacts = found ?? []
  const early = useEarlyEnter(found !== null || error !== null, () => {
    const contact = contacts[at]
    if (contact) onFound(contact)
    else if (offer.current) offer.current.check()
    else onNone()
  })

  if (chosen)
    return (
      <div className="n-chosen">
        <Person contact={chosen} />
        <IconButton icon={X} size="small" label={t('newTicket.other')} onClick={() => onChange(null)} />
      </div>
    )

  function key(event: KeyboardEvent) {
    if (isComposing(event.nativeEvent)) return
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setAt(now => Math.max(0, Math.min(contacts.length - 1, now + step)))
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (!isAsked) return
    onEnter()
    early.press()
  }

  return (
    <div className="n-picker">
      <SearchInput
        label={t('newTicket.search')}
        value={text}
        data-autofocus=""
        role="combobox"
        aria-expanded={contacts.length > 0}
        aria-controls="n-found"
        aria-activedescendant={contacts[at] ? `n-found-${contacts[at].id}` : undefined}
        autoComplete="off"
        onKeyDown={key}
        onChange={next => {
          setText(next)
          setAt(0)
          // Whom the words now find was chosen by nobody.
          if (early.isHeld) onNone()
          early.drop()
        }}
      />
      <div id="n-found" role="listbox" aria-label={t('newTicket.found')} className="n-found">
        {contacts.map((contact, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the focus and the keys
          <div
            key={contact.id}
            id={`n-found-${contact.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={index === at ? 'n-person is-active' : 'n-person'}
            onMouseDown={event => event.preventDefault()}
            onClick={() => onChange(contact)}
          >
            <Person contact={contact} />
          </div>
        ))}
      </div>
      {(found || error) && contacts.length === 0 && number ? (
        <NumberOffer
          key={number}
          ref={offer}
          number={number}
          name={wish.name ?? ''}
          whatsappId={whatsappId}
          onContact={onChange}
          onStart={onFound}
          onNone={onNone}
        />
      ) : null}
      <p className="n-hint" role="status">
        {hintFor()}
      </p>
    </div>
  )

  function hintFor(): string {
    if (!isAsked) return t('newTicket.hint')
    if (error) return describeError(error)
    if (!found) return t('newTicket.searching')
    return contacts.length === 0 && !number ? t('newTicket.none') : ''
  }
}

function Person({ contact }: { readonly contact: Contact }) {
  const t = useTexts('tickets')
  const name = contact.name || t('noName')
  return (
    <>
      <Avatar id={contact.id} name={name} photo={contact.profilePicUrl} group={contact.isGroup} size={36} />
      <span className="n-person-text">
        <strong>{name}</strong>
        <small>{contact.isGroup ? t('newTicket.group') : contact.number ? formatPhone(contact.number) : ''}</small>
      </span>
      <span className="n-person-tags">
        <Chips tags={contact.tags} most={1} />
      </span>
    </>
  )
}
