import type { Message } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/contacts/phone'
import { parseContactCards } from '@balcao/contract/messages/message-bodies'
import { useBusy } from '@balcao/ui/ask'
import { useTexts } from '@balcao/ui/i18n'
import { Avatar, Icon } from '@balcao/ui/parts'
import { MessageCirclePlus } from 'lucide-react'
import { useOpenTicket } from '../../desk/use-ticket-context.ts'
import { useSome } from './use-some.tsx'

export function ContactCards({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const cards = parseContactCards(message.body)
  const [shown, more] = useSome(cards)
  if (cards.length === 0) return <p className="m-quiet">{t('card.invalid')}</p>
  return (
    <ul className="m-cards m-whole">
      {shown.map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
        <li key={index} className="m-card">
          <span className="m-card-who">
            <Avatar id={Number(card.number?.slice(-6) ?? index)} name={card.name || '?'} size={34} />
            <span className="m-document-text">
              <span className="m-document-name" dir="auto">
                {card.name || t('noName')}
              </span>
              <span className="m-quiet">{card.number ? formatPhone(card.number) : t('card.invalid')}</span>
            </span>
          </span>
          {card.number && message.id > 0 && (
            <StartConversation name={card.name} number={card.number} written={card.written ?? card.number} />
          )}
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  )
}

interface StartProps {
  readonly name: string
  readonly number: string
  readonly written: string
}

function StartConversation({ name, number, written }: StartProps) {
  const t = useTexts('tickets')
  const open = useOpenTicket()
  const [busy, during] = useBusy()
  const start = () =>
    during(async () => {
      const { openConversationWith } = await import('../contact-of-card.ts')
      await openConversationWith(name, written, open)
    })
  return (
    <button
      type="button"
      className="m-press"
      disabled={busy}
      aria-label={t('msg.startWith', { name: name || formatPhone(number) })}
      onClick={start}
    >
      <Icon of={MessageCirclePlus} size={16} />
      {t('msg.start')}
    </button>
  )
}
