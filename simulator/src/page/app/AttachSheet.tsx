// What a phone can send besides text: own files, ready-made samples, a call, and taking the last message back.
import {
  Contact,
  File,
  Image,
  type LucideIcon,
  MapPin,
  Megaphone,
  Mic,
  Pencil,
  Phone as PhoneIcon,
  QrCode,
  ScanEye,
  ShoppingCart,
  Star,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import type { Bubble, PhoneView, SampleMessage } from '../model.ts'
import { act } from './client.ts'
import { sendHd, sendPicked, sendSample } from './files.ts'

type Choice = 'photo' | 'file' | 'sticker'

const SAMPLES: Record<Choice, string> = {
  photo: 'Foto de um boleto',
  file: 'PDF de um pedido',
  sticker: 'Figurinha do sino',
}
const ACCEPT: Record<Choice, string> = { photo: 'image/*,video/*', file: '*/*', sticker: 'image/webp' }
const PLACE = {
  latitude: -19.9245,
  longitude: -43.9352,
  name: 'Padaria Estrela',
  address: 'Rua da Bahia, 1148 · Belo Horizonte',
}
const CARD = { name: 'Rafael Lima', phone: '+55 31 98765-4321' }

const FREQUENT: Record<SampleMessage, { label: string; icon: LucideIcon }> = {
  cart: { label: 'Carrinho', icon: ShoppingCart },
  pix: { label: 'Chave Pix', icon: QrCode },
  ad: { label: 'Anúncio', icon: Megaphone },
  hd: { label: 'Foto HD', icon: ScanEye },
}

interface Props {
  phone: PhoneView
  onClose: () => void
  onRecord: () => void
  onEdit: (bubble: Bubble) => void
}

export function AttachSheet({ phone, onClose, onRecord, onEdit }: Props) {
  const [choice, setChoice] = useState<Choice>()
  const picker = useRef<HTMLInputElement>(null)
  const lastOwn = phone.bubbles.findLast(bubble => bubble.mine && !bubble.deleted && bubble.kind !== 'call')
  const lastText = phone.bubbles.findLast(bubble => bubble.mine && !bubble.deleted && bubble.kind === 'text')

  function then(run: () => unknown) {
    return () => {
      void run()
      onClose()
    }
  }

  if (choice)
    return (
      <div className="sheet">
        <p className="sheet-title">{choice === 'photo' ? 'Foto' : choice === 'file' ? 'Arquivo' : 'Figurinha'}</p>
        <div className="sheet-choice">
          <button type="button" className="button" onClick={then(() => sendSample(phone.id, choice))}>
            {SAMPLES[choice]}
          </button>
          <button type="button" className="button" onClick={() => picker.current?.click()}>
            Escolher do computador
          </button>
          <input
            ref={picker}
            type="file"
            hidden
            multiple
            accept={ACCEPT[choice]}
            onChange={event => {
              void sendPicked(phone.id, event.currentTarget, choice)
              onClose()
            }}
          />
        </div>
      </div>
    )
  return (
    <div className="sheet">
      <p className="sheet-title">Enviar do telefone</p>
      <div className="sheet-grid">
        <Item label="Foto" icon={<Image size={20} strokeWidth={1.6} />} onPick={() => setChoice('photo')} />
        <Item label="Arquivo" icon={<File size={20} strokeWidth={1.6} />} onPick={() => setChoice('file')} />
        <Item
          label="Áudio"
          icon={<Mic size={20} strokeWidth={1.6} />}
          onPick={() => {
            onClose()
            onRecord()
          }}
        />
        <Item
          label="Local"
          icon={<MapPin size={20} strokeWidth={1.6} />}
          onPick={then(() => act.send(phone.id, { type: 'location', ...PLACE }))}
        />
        <Item
          label="Contato"
          icon={<Contact size={20} strokeWidth={1.6} />}
          onPick={then(() => act.send(phone.id, { type: 'contacts', contacts: [CARD] }))}
        />
        <Item label="Figurinha" icon={<Star size={20} strokeWidth={1.6} />} onPick={() => setChoice('sticker')} />
        <Item
          label="Chamada"
          icon={<PhoneIcon size={20} strokeWidth={1.6} />}
          disabled={!phone.peer?.canCall}
          onPick={then(() => act.phoneCall(phone.id, false))}
        />
        {phone.peer?.samples.map(sample => {
          const { label, icon: Icon } = FREQUENT[sample]
          return (
            <Item
              key={sample}
              label={label}
              icon={<Icon size={20} strokeWidth={1.6} />}
              onPick={then(() => (sample === 'hd' ? sendHd(phone.id) : act.send(phone.id, { type: 'sample', sample })))}
            />
          )
        })}
        {phone.peer?.canEdit && (
          <Item
            label="Editar"
            icon={<Pencil size={20} strokeWidth={1.6} />}
            disabled={!lastText}
            hint="Edita a sua última mensagem"
            onPick={then(() => lastText && onEdit(lastText))}
          />
        )}
        <Item
          label="Apagar"
          icon={<Trash2 size={20} strokeWidth={1.6} />}
          disabled={!lastOwn}
          hint="Apaga a sua última mensagem"
          onPick={then(() => lastOwn && act.remove(phone.id, lastOwn.id))}
        />
      </div>
    </div>
  )
}

interface ItemProps {
  label: string
  icon: ReactNode
  onPick: () => void
  disabled?: boolean
  hint?: string
}

function Item({ label, icon, onPick, disabled, hint }: ItemProps) {
  return (
    <button type="button" className="sheet-item" onClick={onPick} disabled={disabled} title={hint}>
      <span>{icon}</span>
      {label}
    </button>
  )
}
