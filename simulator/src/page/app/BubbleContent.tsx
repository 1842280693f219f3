// The inside of a bubble, by kind of message.
import { CircleUserRound, FileQuestion, MapPin, Phone as PhoneIcon, PhoneMissed, Video } from 'lucide-react'
import type { Bubble } from '../model.ts'
import { act } from './client.ts'
import { formatFileSize } from './format.ts'
import { Player } from './Player.tsx'
import { RichText } from './RichText.tsx'

export function BubbleContent({ bubble, phone }: { bubble: Bubble; phone: string }) {
  const { file } = bubble
  switch (bubble.kind) {
    case 'image':
      return (
        <>
          {file && <img className="picture" src={file.url} alt={bubble.text || 'Foto'} />}
          {bubble.text && <RichText text={bubble.text} />}
        </>
      )
    case 'video':
      return (
        <>
          {/* biome-ignore lint/a11y/useMediaCaption: what people send each other has no captions */}
          {file && <video className="picture" src={file.url} controls preload="metadata" />}
          {bubble.text && <RichText text={bubble.text} />}
        </>
      )
    case 'sticker':
      return file ? <img className="sticker" src={file.url} alt="Figurinha" /> : null
    case 'audio':
    case 'voice':
      return file ? <Player file={file} onPlayed={() => void (bubble.mine || act.played(phone, bubble.id))} /> : null
    case 'document':
      return (
        <>
          {file && <DocumentCard file={file} />}
          {bubble.text && <RichText text={bubble.text} />}
        </>
      )
    case 'location':
      return bubble.location ? <LocationCard location={bubble.location} /> : null
    case 'contacts':
      return <ContactCards contacts={bubble.contacts ?? []} />
    case 'call':
      return <CallLine call={bubble.call ?? { video: false, missed: true }} />
    case 'unknown':
      return (
        <span className="card-line">
          <FileQuestion size={20} strokeWidth={1.6} /> Este telefone não sabe mostrar esta mensagem
        </span>
      )
    default:
      return (
        <>
          {bubble.header && <b className="option-head">{bubble.header}</b>}
          {bubble.text && <RichText text={bubble.text} />}
          {bubble.footer && <span className="option-foot">{bubble.footer}</span>}
          {bubble.options && <Options bubble={bubble} phone={phone} />}
        </>
      )
  }
}

function DocumentCard({ file }: { file: NonNullable<Bubble['file']> }) {
  const name = file.name ?? 'documento'
  const extension = name.includes('.') ? (name.split('.').pop() ?? '') : ''
  return (
    <a className="document" href={file.url} download={name} onClick={event => event.stopPropagation()}>
      <span className={`document-icon ${extension.toLowerCase()}`}>{extension.slice(0, 4).toUpperCase() || 'ARQ'}</span>
      <span className="document-words">
        <b>{name}</b>
        <span>{file.size === undefined ? file.mime : formatFileSize(file.size)}</span>
      </span>
    </a>
  )
}

function LocationCard({ location }: { location: NonNullable<Bubble['location']> }) {
  return (
    <span className="location">
      <span className="map" aria-hidden>
        <MapPin size={28} strokeWidth={1.8} />
      </span>
      <b>{location.name ?? 'Localização'}</b>
      <span>{location.address ?? `${location.latitude.toFixed(4)}, ${location.longitude.toFixed(4)}`}</span>
    </span>
  )
}

function ContactCards({ contacts }: { contacts: NonNullable<Bubble['contacts']> }) {
  return contacts.map(contact => (
    <span className="card-line" key={`${contact.name}${contact.phone}`}>
      <CircleUserRound size={30} strokeWidth={1.4} />
      <span className="document-words">
        <b>{contact.name}</b>
        <span>{contact.phone}</span>
      </span>
    </span>
  ))
}

function CallLine({ call }: { call: NonNullable<Bubble['call']> }) {
  const Icon = call.missed ? PhoneMissed : call.video ? Video : PhoneIcon
  const kind = call.video ? 'Chamada de vídeo' : 'Chamada de voz'
  return (
    <span className="card-line">
      <Icon size={20} strokeWidth={1.6} /> {call.missed ? `${kind} não atendida` : kind}
    </span>
  )
}

function Options({ bubble, phone }: { bubble: Bubble; phone: string }) {
  return (
    <span className="options">
      {bubble.options?.map(({ id, title, by }) =>
        id && by ? (
          <button
            key={id}
            type="button"
            onClick={event => {
              event.stopPropagation()
              void act.send(phone, { type: 'option', of: bubble.id, id, title, by })
            }}
          >
            {title}
          </button>
        ) : (
          <span key={title}>{title}</span>
        ),
      )}
    </span>
  )
}
