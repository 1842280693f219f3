// A number nobody of ours has: does WhatsApp know it, and what shall it be called? (spec 1 §5 "Adding a contact")
import type { Contact } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { isComposing, isHeldPlace } from '@balcao/ui/actions'
import { api, isApiError } from '@balcao/ui/api'
import { useBusy } from '@balcao/ui/ask'
import { makeId } from '@balcao/ui/browser'
import { useTexts } from '@balcao/ui/i18n'
import { Button, Field, Icon, TextInput } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { Check, CircleAlert, Search, X } from 'lucide-react'
import { type Ref, useImperativeHandle, useRef, useState } from 'react'

interface NumberOfferProps {
  /** As it was typed. */
  readonly number: string
  readonly name: string
  readonly whatsappId: number | null
  readonly onContact: (contact: Contact) => void
  /** The same by Enter, which goes on as far as it can: a contact without a name gets the one of their phone once they write. */
  readonly onStart: (contact: Contact) => void
  /** Enter came no further. */
  readonly onNone: () => void
  /** The search's way to check it by Enter. */
  readonly ref?: Ref<NumberOfferHandle>
}

export interface NumberOfferHandle {
  readonly check: () => void
}

interface NumberCheck {
  readonly exists: boolean | null
  /** As the server read it, or as it was typed where that is not told. */
  readonly number: string
}

export function NumberOffer({ number, name: proposed, whatsappId, onContact, onStart, onNone, ref }: NumberOfferProps) {
  const t = useTexts('tickets')
  const user = useUser()
  const [checked, setChecked] = useState<NumberCheck | null>(null)
  const [name, setName] = useState(proposed)
  const [problem, setProblem] = useState<string | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const [busy, during] = useBusy()
  const [clientId] = useState(makeId)
  const byKey = useRef(false)
  const found = (contact: Contact) => (byKey.current ? onStart : onContact)(contact)
  const checkNow = () => during(() => check().catch(refused))
  useImperativeHandle(ref, () => ({
    check() {
      byKey.current = true
      if (user.addContact && !busy && !checked && !unreadable) checkNow()
      else onNone()
    },
  }))
  const shown = checked?.number ?? number
  if (!user.addContact) return <p className="n-hint">{t('newTicket.mayNotAdd')}</p>

  /** What WhatsApp says of the number is an answer too. */
  function refused(error: unknown) {
    onNone()
    if (isApiError(error, 'ERR_WAPP_INVALID_CONTACT')) return setChecked({ exists: false, number })
    if (isApiError(error, 'ERR_VALIDATION')) return setUnreadable(true)
    if (!isApiError(error, 'ERR_WAPP_CHECK_CONTACT', 'ERR_TOO_MANY_ATTEMPTS')) throw error
    setChecked({ exists: null, number })
  }

  async function check() {
    const query = whatsappId === null ? {} : { whatsappId }
    const { exists, number: real, contact } = await api('GET /contacts/check/:number', { params: { number }, query })
    if (contact) return found(contact)
    if (exists && byKey.current)
      return found(await api('POST /contact', { body: { number: real, name: proposed.trim() } }))
    if (byKey.current) onNone()
    setChecked({ exists, number: formatPhone(real) })
  }

  const add = () => {
    if (name.trim().length < 2) return setProblem(t('newTicket.nameRequired'))
    const body = { name: name.trim(), number: checked?.number ?? number, email: '', clientId }
    during(() => api('POST /contacts', { body }).then(found, refused))
  }

  if (unreadable || checked?.exists === false)
    return (
      <p className="n-answer is-no" role="status">
        <Icon of={X} size={16} />
        {t(unreadable ? 'newTicket.noNumber' : 'newTicket.notThere', { number: shown })}
      </p>
    )
  if (!checked)
    return (
      <div className="n-offer">
        <p>{t('newTicket.unknown', { number: shown })}</p>
        <Button icon={Search} busy={busy} onClick={checkNow}>
          {t('newTicket.check')}
        </Button>
      </div>
    )
  return (
    <div className="n-offer is-open">
      <p className={checked.exists ? 'n-answer is-yes' : 'n-answer'} role="status">
        <Icon of={checked.exists ? Check : CircleAlert} size={16} />
        {t(checked.exists ? 'newTicket.there' : 'newTicket.cannotTell', { number: shown })}
      </p>
      <Field label={t('newTicket.name')} error={problem} required>
        <TextInput
          value={name}
          maxLength={50}
          ref={focusOnce}
          onChange={next => {
            setName(next)
            setProblem(null)
          }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return
            event.preventDefault()
            byKey.current = true
            add()
          }}
        />
      </Field>
      <Button busy={busy} onClick={add}>
        {t('newTicket.add')}
      </Button>
    </div>
  )
}

/** Whom the number belongs to is what is missing next, once who writes to the customer has stopped. */
function focusOnce(field: HTMLInputElement | null) {
  if (!isHeldPlace(document.activeElement)) field?.focus()
}
