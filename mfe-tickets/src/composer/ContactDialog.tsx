// Sending somebody of the contacts as a card: search, choose, send (spec 1 §2).
import type { Contact, Ticket } from '@balcao/contract'
import { LIMITS } from '@balcao/contract/limits'
import { formatPhone } from '@balcao/contract/phone'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Avatar, Dialog, FormButtons, SearchInput, toast } from '@balcao/ui/parts'
import { useEffect, useState } from 'react'
import { takeMessage } from '../conversation/conversation-store.ts'
import { composerCalls } from './composer-calls.ts'
import './late.ts'

interface ContactDialogProps {
  readonly ticket: Ticket
  readonly onClose: () => void
}

export default function ContactDialog({ ticket, onClose }: ContactDialogProps) {
  const t = useTexts('tickets')
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<Contact | null>(null)
  const [busy, setBusy] = useState(false)
  const { found, note } = useFound(search.trim())

  async function send() {
    if (!chosen) return
    setBusy(true)
    try {
      takeMessage(await composerCalls.sendCard(ticket.id, chosen.id))
      onClose()
    } catch (error) {
      toast.error(errorText(error))
      setBusy(false)
    }
  }

  return (
    <Dialog
      title={t('contactCard.title')}
      intro={t('contactCard.intro', { name: ticket.contact.name })}
      onClose={onClose}
      onSubmit={() => void send()}
      footer={<FormButtons action={t('contactCard.send')} disabled={!chosen} busy={busy} onClose={onClose} />}
    >
      <SearchInput
        label={t('contactCard.search')}
        value={search}
        data-autofocus=""
        onChange={text => {
          setSearch(text)
          setChosen(null)
        }}
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

/** People with a number whose name or number fits; groups have no card. At least 3 characters (spec 1 §5). */
function useFound(search: string) {
  const t = useTexts('tickets')
  const [found, setFound] = useState<readonly Contact[]>([])
  const [note, setNote] = useState('')
  useEffect(() => {
    if (search.length < LIMITS.searchMinimum) {
      setFound([])
      return setNote(t('contactCard.hint', { least: LIMITS.searchMinimum }))
    }
    const left = new AbortController()
    const timer = setTimeout(() => {
      composerCalls
        .contacts(search, left.signal)
        .then(contacts => {
          const people = contacts.filter(contact => !contact.isGroup && contact.number)
          setFound(people)
          setNote(people.length === 0 ? t('contactCard.none') : '')
        })
        .catch((error: unknown) => {
          if (!left.signal.aborted) setNote(errorText(error))
        })
    }, LIMITS.searchDebounceMs)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [search, t])
  return { found, note }
}
