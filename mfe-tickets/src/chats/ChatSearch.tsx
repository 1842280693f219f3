// Finding messages in one internal chat; a hit is shown in its place and blinks.
import type { ChatMessage, SharedChat } from '@balcao/contract'
import { errorText, formatListTime, useTexts } from '@balcao/ui/i18n'
import { DockedDialog, SearchInput } from '@balcao/ui/parts'
import { type RefObject, useEffect, useState } from 'react'
import { view } from '../desk/view.ts'
import { plainText } from '../message/whatsapp-text.ts'
import { useMinute } from '../use-minute.ts'
import { chatCalls } from './chat-calls.ts'
import { laneOf } from './lane.ts'

const SEARCH_MS = 500

interface ChatSearchProps {
  readonly chat: SharedChat
  readonly anchor: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

export function ChatSearch({ chat, anchor, onClose }: ChatSearchProps) {
  const t = useTexts('tickets')
  const now = useMinute()
  const [text, setText] = useState('')
  const { found, problem } = useFound(chat.id, text.trim())
  return (
    <DockedDialog anchor={anchor} scrim={false} title={t('chat.search')} width={360} onClose={onClose}>
      <SearchInput autoFocus label={t('chat.searchMessages')} value={text} onChange={setText} />
      <p className="i-found-note" role="status">
        {problem ?? (found && found.length === 0 ? t('chat.noneFound') : '')}
      </p>
      {found && found.length > 0 && (
        <ul className="i-found" aria-label={t('search.results')}>
          {found.map(message => (
            <li key={message.id}>
              <button
                type="button"
                onClick={() => {
                  view.jumpTo = { messageId: message.id, ticketId: laneOf(chat.id), at: Date.now() }
                }}
              >
                <span className="i-found-head">
                  <strong>{message.sender.name}</strong>
                  <time dateTime={message.createdAt}>{formatListTime(message.createdAt, now)}</time>
                </span>
                <span className="i-found-text">{plainText(message.body).slice(0, 200)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </DockedDialog>
  )
}

function useFound(chatId: number, text: string) {
  const [found, setFound] = useState<readonly ChatMessage[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    setProblem(null)
    if (text === '') return setFound(null)
    const left = new AbortController()
    const timer = setTimeout(() => {
      chatCalls
        .search(chatId, text, left.signal)
        .then(setFound)
        .catch((error: unknown) => {
          if (!left.signal.aborted) setProblem(errorText(error))
        })
    }, SEARCH_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [chatId, text])
  return { found, problem }
}
