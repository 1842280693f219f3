// Messages that are more than words: documents, places, contact cards, calls, templates, and what we do not know.
import type { Message } from '@balcao/contract'
import { formatPhone } from '@balcao/contract/phone'
import { useBusy } from '@balcao/ui/ask'
import { currentLanguage, formatTime, useTexts } from '@balcao/ui/i18n'
import { Avatar, Icon } from '@balcao/ui/parts'
import {
  CircleHelp,
  Download,
  ExternalLink,
  File,
  Image,
  MapPin,
  MessageCirclePlus,
  PhoneMissed,
  Video,
} from 'lucide-react'
import { useState } from 'react'
import { useOpenTicket } from '../desk/use-ticket-context.ts'
import { cardsOf, fileSize, locationOf, templateOf } from './bodies.ts'
import { FormattedText } from './FormattedText.tsx'

export function Document({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const name = message.media?.name || t('media.application')
  const ending = /\.(\w{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? '···'
  return (
    <a className="m-document" href={message.mediaUrl ?? undefined} download={name}>
      <span className="b-only-read">{t('file.fetch')} </span>
      <span className={/^pdf$/i.test(ending) ? 'm-ending is-pdf' : 'm-ending'} aria-hidden="true">
        {ending}
      </span>
      <span className="m-document-text">
        <span className="m-document-name">{name}</span>
        <span className="m-quiet">{factsOf(message, ending)}</span>
      </span>
      <Icon of={Download} />
    </a>
  )
}

/** 'PDF · 1,2 MB'. */
function factsOf({ media }: Message, ending: string): string {
  const size = media?.size
  const known = size === null || size === undefined ? null : fileSize(size, currentLanguage())
  return [ending === '···' ? null : ending, known].filter(part => part).join(' · ')
}

export function Location({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const place = locationOf(message.body)
  const inside = (
    <>
      {place.image ? (
        <img className="m-map" src={place.image} alt="" width={240} height={120} />
      ) : (
        <span className="m-map is-drawn" aria-hidden="true">
          <Icon of={MapPin} />
        </span>
      )}
      <span className="m-place">
        {place.description || t('media.location')}
        {place.link && (
          <span className="m-map-link">
            {t('msg.openMap')} <Icon of={ExternalLink} size={14} />
          </span>
        )}
      </span>
    </>
  )
  return place.link ? (
    <a className="m-location" href={place.link} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  ) : (
    <span className="m-location">{inside}</span>
  )
}

/** So many of the cards of one message are shown at first. */
const CARDS = 8

export function ContactCards({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  const cards = cardsOf(message.body)
  const [most, setMost] = useState(CARDS)
  if (cards.length === 0) return <p className="m-quiet">{t('card.invalid')}</p>
  return (
    <ul className="m-cards">
      {cards.slice(0, most).map((card, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
        <li key={index} className="m-card">
          <span className="m-card-who">
            <Avatar id={Number(card.number?.slice(-6) ?? index)} name={card.name || '?'} size={34} />
            <span className="m-document-text">
              <span className="m-document-name">{card.name || t('noName')}</span>
              <span className="m-quiet">{card.number ? formatPhone(card.number) : t('card.invalid')}</span>
            </span>
          </span>
          {card.number && message.id > 0 && <StartConversation name={card.name} number={card.number} />}
        </li>
      ))}
      {cards.length > most && (
        <li>
          <button type="button" className="m-unfold" onClick={() => setMost(most * 4)}>
            {t('unfold')} ({cards.length - most})
          </button>
        </li>
      )}
    </ul>
  )
}

function StartConversation({ name, number }: { readonly name: string; readonly number: string }) {
  const t = useTexts('tickets')
  const open = useOpenTicket()
  const [busy, during] = useBusy()
  const start = () =>
    during(async () => {
      const { converseWith } = await import('./contact-of-card.ts')
      await converseWith(name, number, open)
    })
  return (
    <button
      type="button"
      className="m-card-start"
      disabled={busy}
      aria-label={t('msg.startWith', { name: name || formatPhone(number) })}
      onClick={start}
    >
      <Icon of={MessageCirclePlus} size={16} />
      {t('msg.start')}
    </button>
  )
}

export function MissedCall({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  return (
    <span className="m-call">
      <Icon of={PhoneMissed} size={16} />
      {t('missedCall', { time: formatTime(message.createdAt) })}
    </span>
  )
}

export function TemplateMessage({ message }: { readonly message: Pick<Message, 'templateData' | 'body'> }) {
  const t = useTexts('tickets')
  const template = templateOf(message.templateData, message.body)
  return (
    <div className="m-template">
      {template.header && <strong>{template.header}</strong>}
      {template.media && (
        <span className="m-template-media">
          <Icon of={MEDIA_ICONS[template.media]} size={16} />
          {t(`media.${template.media}`)}
        </span>
      )}
      <FormattedText text={template.body} />
      {template.footer && <span className="m-quiet">{template.footer}</span>}
      {template.buttons.map(button => (
        <TemplateButton key={`${button.text}${button.href}`} {...button} />
      ))}
    </div>
  )
}

const MEDIA_ICONS = { image: Image, video: Video, application: File } as const

function TemplateButton({ text, href }: { readonly text: string; readonly href: string | null }) {
  if (!href) return <span className="m-template-button">{text}</span>
  return (
    <a className="m-template-button" href={href} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  )
}

/** A kind of message this version does not know: kept and shown, never dropped. */
export function UnknownCard({ message }: { readonly message: Message }) {
  const t = useTexts('tickets')
  return (
    <div className="m-unknown">
      <Icon of={CircleHelp} size={16} />
      <span>
        {t('unknown.title')}
        <span className="m-quiet">{message.body.trim() || t('unknown.text')}</span>
      </span>
    </div>
  )
}
