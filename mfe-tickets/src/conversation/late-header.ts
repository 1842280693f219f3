// What the header of a conversation has besides its name and actions: it comes after the first screen.
export { ChatTimer } from '../contact/ChatTimer.tsx'
export { HeaderFaces } from '../viewers/Faces.tsx'
