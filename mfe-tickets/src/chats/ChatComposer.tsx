// Where internal messages are written: words, emoji, files, answers and edits.
import type { SharedChat } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { IconButton } from '@balcao/ui/parts'
import { useUser } from '@balcao/ui/session'
import { Paperclip, SendHorizontal, Smile } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, lazy, Suspense, useRef, useState } from 'react'
import { Attachments } from '../composer/Attachments.tsx'
import { useGrow } from '../composer/Editor.tsx'
import { TargetBar } from '../composer/TargetBar.tsx'
import { useDrop } from '../composer/use-drop.ts'
import { useChatComposer } from './use-chat-composer.ts'
import { titleOf } from './use-chats.ts'

const Emojis = lazy(() => import('../composer/Emojis.tsx'))

export function ChatComposer({ chat }: { readonly chat: SharedChat }) {
  const t = useTexts('tickets')
  const me = useUser().id
  const field = useRef<HTMLTextAreaElement>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const [emojis, setEmojis] = useState(false)
  const composer = useChatComposer(chat, field)
  const { text, files, target, sendable, problem, send, addFiles } = composer
  const dropping = useDrop(addFiles)
  useGrow(field, text)

  function key(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (target) composer.clearTarget()
      else field.current?.blur()
    }
  }

  function paste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    addFiles([...event.clipboardData.files])
  }

  return (
    <footer className="k-composer">
      {emojis && (
        <Suspense fallback={null}>
          <Emojis
            onClose={() => setEmojis(false)}
            onChoose={emoji => {
              composer.insert(emoji)
              setEmojis(false)
            }}
          />
        </Suspense>
      )}
      <div className="k-box">
        {target && <TargetBar target={target} onClose={composer.clearTarget} />}
        <Attachments files={files} onRemove={composer.removeFile} />
        <textarea
          ref={field}
          rows={1}
          className="k-field"
          aria-label={t('chat.write', { name: titleOf(chat, me) })}
          placeholder={t(files.length > 0 ? 'composer.caption' : 'chat.placeholder')}
          value={text}
          maxLength={65_536}
          onChange={event => composer.setText(event.target.value)}
          onKeyDown={key}
          onPaste={paste}
        />
        <div className="k-tools">
          <IconButton
            icon={Paperclip}
            label={t('composer.attach')}
            tooltipSide="above"
            onClick={() => chooser.current?.click()}
          />
          <IconButton
            icon={Smile}
            label={t('composer.emoji')}
            tooltipSide="above"
            pressed={emojis}
            onClick={() => setEmojis(!emojis)}
          />
          <span className="k-space" />
          <button type="button" className="k-send" disabled={!sendable} aria-label={t('composer.send')} onClick={send}>
            <SendHorizontal size={20} strokeWidth={1.6} aria-hidden="true" />
          </button>
        </div>
        {dropping && <p className="k-drop">{t('composer.drop')}</p>}
      </div>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('composer.attach')}
        onChange={event => {
          addFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <p className="b-only-read" aria-live="polite">
        {problem ?? ''}
      </p>
      {problem && <p className="k-problem">{problem}</p>}
    </footer>
  )
}
