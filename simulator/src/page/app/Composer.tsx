// Writing on a phone: text, the attach sheet, voice recording; quoting and editing show above the field.
import { Camera, Mic, Paperclip, SendHorizontal, Smile, X } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { PhoneView } from '../model.ts'
import { AttachSheet } from './AttachSheet.tsx'
import type { MessageTarget } from './Chat.tsx'
import { act } from './client.ts'
import { sendPicked } from './files.ts'
import { Recorder } from './Recorder.tsx'

const SMILES = ['😊', '🙏', '👍', '😂', '❤️', '😅', '🎉', '🤔', '😢', '👏', '🚚', '💰']

interface Props {
  phone: PhoneView
  aim: MessageTarget | undefined
  onAim: (aim: MessageTarget) => void
  onAimed: () => void
}

export function Composer({ phone, aim, onAim, onAimed }: Props) {
  const [text, setText] = useState('')
  const [sheet, setSheet] = useState<'attach' | 'smiles'>()
  const [recording, setRecording] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const showTyping = useTyping(phone.id)

  useEffect(() => {
    if (!aim) return
    if (aim.to === 'edit') setText(aim.bubble.text ?? '')
    field.current?.focus()
  }, [aim])

  async function submit(event?: FormEvent): Promise<void> {
    event?.preventDefault()
    const written = text.trim()
    if (!written) return
    setText('')
    showTyping('')
    onAimed()
    if (aim?.to === 'edit') await act.edit(phone.id, aim.bubble.id, written)
    else await act.send(phone.id, { type: 'text', text: written, ...(aim ? { quote: aim.bubble.id } : {}) })
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void submit()
    }
    if (event.key === 'Escape') {
      setSheet(undefined)
      onAimed()
    }
  }

  if (recording) return <Recorder phone={phone.id} onDone={() => setRecording(false)} />
  return (
    <div className="composer-area">
      {sheet === 'attach' && (
        <AttachSheet
          phone={phone}
          onClose={() => setSheet(undefined)}
          onRecord={() => setRecording(true)}
          onEdit={bubble => onAim({ to: 'edit', bubble })}
        />
      )}
      {sheet === 'smiles' && (
        <div className="smiles">
          {SMILES.map(smile => (
            <button key={smile} type="button" aria-label={`Escrever ${smile}`} onClick={() => setText(text + smile)}>
              {smile}
            </button>
          ))}
        </div>
      )}
      {aim && (
        <p className="aim">
          <span className="aim-words">
            <b>{aim.to === 'edit' ? 'Editando' : 'Respondendo'}</b>
            {aim.bubble.text || 'mensagem'}
          </span>
          <button type="button" className="icon-button" aria-label="Desistir" onClick={onAimed}>
            <X size={16} strokeWidth={1.8} />
          </button>
        </p>
      )}
      <form className="composer" onSubmit={event => void submit(event)}>
        <div className="field">
          <button
            type="button"
            aria-label="Emoji"
            aria-expanded={sheet === 'smiles'}
            onClick={() => setSheet(sheet === 'smiles' ? undefined : 'smiles')}
          >
            <Smile size={18} strokeWidth={1.6} />
          </button>
          <textarea
            ref={field}
            rows={1}
            value={text}
            placeholder="Mensagem"
            aria-label={`Mensagem de ${phone.name}`}
            onChange={event => {
              setText(event.target.value)
              showTyping(event.target.value)
            }}
            onKeyDown={onKey}
          />
          <button
            type="button"
            aria-label="Anexar"
            aria-expanded={sheet === 'attach'}
            onClick={() => setSheet(sheet === 'attach' ? undefined : 'attach')}
          >
            <Paperclip size={18} strokeWidth={1.6} />
          </button>
          <button type="button" aria-label="Enviar foto do computador" onClick={() => camera.current?.click()}>
            <Camera size={18} strokeWidth={1.6} />
          </button>
          <input
            ref={camera}
            type="file"
            hidden
            accept="image/*,video/*"
            onChange={event => void sendPicked(phone.id, event.currentTarget, 'photo')}
          />
        </div>
        {text.trim() ? (
          <button type="submit" className="round" aria-label="Enviar">
            <SendHorizontal size={19} strokeWidth={1.7} />
          </button>
        ) : (
          <button type="button" className="round" aria-label="Gravar áudio" onClick={() => setRecording(true)}>
            <Mic size={19} strokeWidth={1.7} />
          </button>
        )}
      </form>
    </div>
  )
}

const PAUSE_MS = 2500

/** Tells the desk that somebody writes, and after a pause that nobody does. */
function useTyping(phone: string): (text: string) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return text => {
    if (text && !timer.current) void act.typing(phone, 'composing')
    if (!text && !timer.current) return
    clearTimeout(timer.current)
    const stop = () => {
      timer.current = undefined
      void act.typing(phone, 'paused')
    }
    if (text) timer.current = setTimeout(stop, PAUSE_MS)
    else stop()
  }
}
