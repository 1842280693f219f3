// What a dialog sends to a customer has a name, so that it goes out once also when an answer is lost.
import { makeId } from '@balcao/ui/browser'
import { useRef } from 'react'

/**
 * Names what is sent: the same content again, because no answer came, has the same name; another content has another.
 *
 * @example const nameContent = useClientId(); await api('POST /meta/templates', { body: { …, clientId: nameContent(template) } })
 */
export function useClientId(): (content: unknown) => string {
  const last = useRef({ content: '', clientId: '' })
  return content => {
    const text = JSON.stringify(content)
    if (last.current.content !== text) last.current = { content: text, clientId: makeId() }
    return last.current.clientId
  }
}
