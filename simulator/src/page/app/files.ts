// Sending files from a phone: picked ones as what they are, and the samples.
import type { PhoneFile } from '../model.ts'
import { act } from './client.ts'
import { createOrderPdf, drawPhoto, drawSticker, shrinkPicture } from './samples.ts'
import { loadSound } from './sound.ts'

/** Sends every picked file; the way it was picked decides between a photo and a document. */
export async function sendPicked(
  phone: string,
  input: HTMLInputElement,
  as: 'photo' | 'file' | 'sticker',
): Promise<void> {
  const files = [...(input.files ?? [])]
  input.value = ''
  for (const file of files) await act.sendFile(phone, file, file.name, await toFileFacts(file, as))
}

export async function sendSample(phone: string, kind: 'photo' | 'file' | 'sticker'): Promise<void> {
  if (kind === 'photo')
    await act.sendFile(phone, await drawPhoto(), 'foto.jpg', { kind: 'image', caption: 'Bom dia! Esse aqui vale?' })
  else if (kind === 'sticker') await act.sendFile(phone, await drawSticker(), 'figurinha.webp', { kind: 'sticker' })
  else await act.sendFile(phone, createOrderPdf(), 'pedido-4471.pdf', { kind: 'document' })
}

/** A photo in HD goes out twice, as phones send it: small first, then the better file in its place. */
export async function sendHd(phone: string): Promise<void> {
  const better = await drawPhoto()
  const small = await shrinkPicture(better)
  await act.sendFile(phone, small, 'foto.jpg', { kind: 'image', caption: 'Em HD, para ler as letras' })
  await act.sendFile(phone, better, 'foto-hd.jpg', { kind: 'image', better: true })
}

async function toFileFacts(file: File, as: 'photo' | 'file' | 'sticker'): Promise<PhoneFile> {
  if (as === 'sticker') return { kind: 'sticker' }
  const [family] = file.type.split('/')
  if (as === 'photo' && family === 'image') return { kind: 'image' }
  if (as === 'photo' && family === 'video') return { kind: 'video' }
  if (family !== 'audio') return { kind: 'document' }
  const address = URL.createObjectURL(file)
  const sound = await loadSound(address)
  URL.revokeObjectURL(address)
  return { kind: 'audio', ...(sound ? { seconds: Math.round(sound.seconds) } : {}) }
}
