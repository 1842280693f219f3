// The list of chats of a phone.
import { ChevronLeft } from 'lucide-react'
import type { PhoneView } from '../model.ts'
import { act } from './client.ts'
import { formatClock } from './format.ts'

export function ChatList({ phone, onBack }: { phone: PhoneView; onBack?: () => void }) {
  const empty =
    phone.role === 'company'
      ? 'Nenhuma conversa neste celular ainda.'
      : 'Nenhum número para escrever ainda. Ligue um celular da empresa ao Balcão.'
  return (
    <>
      <div className="phone-head">
        {onBack && (
          <button type="button" className="head-button" aria-label="Aparelhos conectados" onClick={onBack}>
            <ChevronLeft size={20} strokeWidth={1.8} />
          </button>
        )}
        <b className="head-title">Conversas</b>
      </div>
      <ul className="chat-list">
        {phone.chats.length === 0 && <li className="chat-list-empty">{empty}</li>}
        {phone.chats.map(chat => (
          <li key={chat.id}>
            <button type="button" onClick={() => void act.open(phone.id, chat.id)}>
              <Face name={chat.name} company={phone.role === 'customer'} />
              <span className="chat-words">
                <b>{chat.name}</b>
                <span>{chat.preview || chat.number}</span>
              </span>
              <span className="chat-facts">
                {chat.at && <time>{formatClock(chat.at)}</time>}
                {chat.unread > 0 && <span className="badge">{chat.unread > 99 ? '99+' : chat.unread}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

export function Face({ name, company }: { name: string; company: boolean }) {
  if (company)
    return (
      <span className="face company">
        <img src="icon.svg" alt="" width="28" height="28" />
      </span>
    )
  const words = name.split(/\s+/).filter(word => /^\p{Lu}/u.test(word))
  return <span className="face">{`${words[0]?.[0] ?? name[0] ?? '?'}${words[1]?.[0] ?? ''}`}</span>
}
