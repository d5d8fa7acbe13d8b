function frameReader(arrays,view){let bytes=view.buffer.slice(view.byteOffset,view.byteOffset+view.byteLength);return places=>Object.
fromEntries(arrays.map(array=>[array.name,readArray(bytes,array,places)]))}function readArray(bytes,{begin,counts,shape:shape2,
low,high,steps},places){let size=shape2.reduce((product,n)=>product*n,1),frame=counts.reduce((sum,count,k)=>sum*count+(count>
1?places[k]:0),0),Codes=steps>65535?Uint32Array:Uint16Array,first=begin+frame*size*Codes.BYTES_PER_ELEMENT,codes=new Codes(
bytes.slice(first,first+size*Codes.BYTES_PER_ELEMENT));return Float64Array.from(codes,code=>low+(high-low)/steps*code)}function placeOf(control,model){
return control.kind==="bool"?model.get("value")?1:0:control.kind==="value"?nearestPlace(control,model.get("value")):control.
texts[model.get("index")]===void 0?control.start:model.get("index")}function moveTo(control,model,place){let at=Math.max(
0,Math.min(control.texts.length-1,place));control.kind==="index"?model.set("index",at):model.set("value",control.kind===
"bool"?at===1:control.values[at]),model.save_changes?.()}function settle(control,model){let place=placeOf(control,model);
return holds(control,model,place)||moveTo(control,model,place),place}function holds({kind,values},model,place){if(kind===
"bool")return!0;if(kind==="index")return model.get("index")===place;let rounding=1e-9*(Math.abs(values[0])+Math.abs(values.
at(-1)));return Math.abs(model.get("value")-values[place])<=rounding}function nearestPlace({values},number){let away=values.
map(value=>Math.abs(value-number));return Math.max(0,away.indexOf(Math.min(...away)))}function makeAccessible(view){if(view.isAccessible)return;view.isAccessible=!0;let refresh=()=>describe(view);refresh(),
view.listenTo(view.model,"change",refresh),view.$slider&&watchText(view.$slider,refresh)}function watchText(slider,refresh){
new MutationObserver(refresh).observe(slider,{subtree:!0,attributeFilter:["aria-valuetext"]})}function describe({el,model}){
el.querySelectorAll(":scope > [title=null]").forEach(label=>label.removeAttribute("title"));let name=plainName(model);name&&
(el.querySelectorAll(":scope > .slider-container .noUi-handle").forEach((handle,i,handles)=>{handle.setAttribute("aria-l\
abel",handles.length===1?name:`${name}, ${i?"upper":"lower"} end`),handles.length===1&&sayValue(handle,readout(el))}),el.
querySelectorAll(":scope > :is(select, input), :scope > label > input[type=checkbox]").forEach(box=>box.setAttribute("ar\
ia-label",name)),el.querySelectorAll(":scope > .widget-readout").forEach(box=>{box.setAttribute("aria-label",`${name}, v\
alue`),box.isContentEditable&&box.setAttribute("role","textbox")}),el.classList.contains("widget-toggle-buttons")&&describeToggles(
el,name),el.classList.contains("widget-toggle-button")&&press(el,model.get("value")))}function sayValue(handle,text){handle.
getAttribute("aria-valuetext")!==text&&handle.setAttribute("aria-valuetext",text)}function describeToggles(el,name){el.setAttribute(
"role","group"),el.setAttribute("aria-label",name),el.querySelectorAll("button").forEach(button=>press(button,button.classList.
contains("mod-active")))}function press(button,pressed){button.setAttribute("aria-pressed",String(!!pressed))}function readout(el){
return el.querySelector(":scope > .widget-readout")?.textContent??""}function plainName(model){return(model.get("tooltip")||
model.get("description")||"").replace(/\\[()[\]]|[${}]|<[^>]*>/g,"").replace(/\\([a-zA-Z]+)/g,"$1").trim()}var SVG="http://www.w3.org/2000/svg";function svg(tag,attributes={},text){return fill(document.createElementNS(SVG,tag),
attributes,text)}function html(tag,attributes={},text){return fill(document.createElement(tag),attributes,text)}function fill(element,attributes,text){
for(let[name,value]of Object.entries(attributes))element.setAttribute(name,value);return text!==void 0&&(element.textContent=
text),element}function update(element,name,value){let text=String(value);element.getAttribute(name)!==text&&element.setAttribute(
name,text)}function printer(digits){let zero=0 .toFixed(digits);return value=>{let text=value.toFixed(digits);if(text===
"-"+zero)return zero;let[whole,...decimals]=text.split(".");return[Math.abs(value)<1e4?whole:whole.replace(/\B(?=(\d{3})+$)/g,
","),...decimals].join(".")}}function ticks(low,high,count){let rough=(high-low)/count,power=10**Math.floor(Math.log10(rough)),
step3=[1,2,5,10].map(factor=>factor*power).find(size=>size>=rough),first=Math.ceil(low/step3-1e-9),found=[];for(let k=first;k*
step3<=high+1e-9*step3;k++)found.push(k*step3);let digits=Math.max(0,-Math.floor(Math.log10(step3)+1e-9));return{at:found,
print:printer(digits)}}var PALETTES={light:["#f7fbff","#deebf7","#c6dbef","#9ecae1","#6baed6","#4292c6","#2171b5","#0851\
9c","#08306b"],dark:["#16202c","#17324d","#19466f","#1f5b8f","#2f74ad","#4f90c6","#79aedb","#aacdec","#dcecfa"],lightDifference:[
"#8c510a","#d8a25e","#f6e8c3","#f5f5f5","#c7eae5","#5ab4ac","#01665e"],darkDifference:["#f0b35c","#a8702c","#4e3a22","#2\
0262d","#1d4a48","#33958c","#7fe0d4"]};function isDark(){let root=document.documentElement;return root.dataset.theme?root.
dataset.theme==="dark":document.body.dataset.jpThemeLight==="false"}function palette(diverging){let name=(isDark()?"dark":
"light")+(diverging?"Difference":""),stops=PALETTES[name].map(hex=>[1,3,5].map(i=>parseInt(hex.slice(i,i+2),16)));return Array.
from({length:256},(_,i)=>{let x=i/255*(stops.length-1),k=Math.min(Math.floor(x),stops.length-2),rgb=stops[k].map((c,j)=>Math.
round(c+(stops[k+1][j]-c)*(x-k)));return{fill:`rgb(${rgb})`,ink:luminance(rgb)>.179?"#000":"#fff"}})}function luminance(rgb){
let[r,g,b]=rgb.map(c=>c<=10?c/3294:((c/255+.055)/1.055)**2.4);return .2126*r+.7152*g+.0722*b}function textWidth(text,size=12){
return text.length*size*.58}function shorten(text,width,size=12){let fits=Math.floor(width/(size*.58));return text.length<=
fits?text:text.slice(0,Math.max(1,fits-1))+"…"}function makeDraggable(picture,follow2,keys,nudge){picture.classList.add(
"live-drag"),picture.addEventListener("pointerdown",event=>{picture.setPointerCapture(event.pointerId),follow2(event)}),
picture.addEventListener("pointermove",event=>{picture.hasPointerCapture(event.pointerId)&&follow2(event)}),picture.addEventListener(
"keydown",event=>{keys[event.key]&&(event.preventDefault(),nudge(...keys[event.key]))})}function sentence(template,parts){
return template.replace(/\{(\w+)\}/g,(all,name)=>parts[name]??all)}function sayLargest(numbers,read){let most=Math.max(...numbers),
places=Array.from(numbers.keys()).filter(k=>numbers[k]===most);if(places.length===numbers.length&&numbers.length>1)return"\
all are equal: "+read(0);let more=places.length>3?` and ${places.length-3} more`:"";return"largest: "+places.slice(0,3).
map(read).join("; ")+more}function partsOfLargest(numbers,partsAt){let value=Math.max(...numbers),all=Array.from(numbers.
keys()).filter(k=>numbers[k]===value).map(partsAt),join=name=>listed([...new Set(all.map(parts=>parts[name]))]);return{...Object.
fromEntries(Object.keys(all[0]).map(name=>[name,join(name)])),value}}function listed(texts){return texts.length>3?"sever\
al":texts.length===1?texts[0]:`${texts.slice(0,-1).join(", ")} and ${texts.at(-1)}`}function showScroll(box,name){let refresh=()=>{
let room=box.scrollWidth-box.clientWidth;box.classList.toggle("live-more-before",room>1&&box.scrollLeft>1),box.classList.
toggle("live-more-after",room>1&&box.scrollLeft<room-1);let wanted=room>1?{tabindex:"0",role:"region","aria-label":`${name}\
, scrolls sideways`}:{};for(let key of["tabindex","role","aria-label"])wanted[key]?box.setAttribute(key,wanted[key]):box.
removeAttribute(key)},watcher=new ResizeObserver(refresh);return watcher.observe(box),box.addEventListener("scroll",refresh,
{passive:!0}),()=>{watcher.disconnect(),box.removeEventListener("scroll",refresh)}}var LONGEST=900,SHORTEST=120,IN_ALL=9e3;function makePlayer(control,model,ended){let button=html("button",{type:"button",
class:"live-play"}),calm=matchMedia("(prefers-reduced-motion: reduce)"),last=control.texts.length-1,pause=Math.max(SHORTEST,
Math.min(LONGEST,IN_ALL/last)),event=control.kind==="index"?"change:index":"change:value",timer=null,expected=null;function name(){
let words=calm.matches?`Next ${control.label}`:`${timer===null?"Play":"Pause"} ${control.label}`;button.textContent=`${timer===
null?"▶":"⏸"}︎ ${words}`,button.setAttribute("aria-label",words)}function move(place){expected=place,moveTo(control,
model,place)}function step3(){let here=placeOf(control,model);if(here>=last)return stop();move(here+1),timer=setTimeout(
step3,pause)}function stop(){timer!==null&&(clearTimeout(timer),timer=null,name(),ended())}function press2(){if(timer!==
null)return stop();let isAtEnd=placeOf(control,model)>=last;if(calm.matches)return move(isAtEnd?0:placeOf(control,model)+
1);isAtEnd&&move(0),timer=setTimeout(step3,isAtEnd?pause:0),name()}let moved=()=>placeOf(control,model)!==expected&&stop();
return button.addEventListener("click",press2),model.on(event,moved),calm.addEventListener("change",name),addEventListener(
"beforeprint",stop),name(),{button,isPlaying:()=>timer!==null,stop(){clearTimeout(timer),model.off(event,moved),calm.removeEventListener(
"change",name),removeEventListener("beforeprint",stop)}}}function sayPiece(piece,frame,tools,parts){if(typeof piece=="string")return piece;if(piece.control)return tools.text(piece.
control);let value=piece.array?frame[piece.array][0]:parts()[piece.part];if(typeof value!="number")return String(value);
let print=printer(piece.digits);return piece.percent?`${print(100*value)}%`:print(value)}function tablesOfPieces(pieces){
let numbers=new Map(pieces.filter(piece=>piece.array).map(piece=>[piece.array,piece]));return Array.from(numbers.values(),
({array,digits,percent})=>{let print=printer(digits+(percent?2:0));return{array,title:array,rows:[array],columns:["value"],
print}})}function makeText(options,tools){let element=html("p",{class:"live-text"}),parts=options.pieces.map(piece=>typeof piece==
"string"?piece:html("span",{class:"live-number"}));function draw(frame){options.pieces.forEach((piece,k)=>{let said=sayPiece(
piece,frame,tools);typeof piece!="string"&&parts[k].textContent!==said&&(parts[k].textContent=said)})}return{element,layout:()=>element.
hasChildNodes()||element.append(...parts),draw,summary:()=>"",spoken:()=>element.textContent,tables:tablesOfPieces(options.
pieces)}}var CALM=500;function makeReadout(spec,views,tools,isMoving){let shown=html("p",{class:"live-readout","aria-hidden":"tru\
e"}),heard=html("p",{class:"live-heard","aria-live":"polite"}),element=html("div",{class:"live-told"});element.append(shown,
heard);let frame,timer,titled=(view,k,text)=>{let title=views.length>1?spec.views[k].title:"";return text&&title?`${title}\
 – ${text}`:text},hasFocus=view=>view.element.contains(document.activeElement),pointed=view=>view.pointed?view.pointed():
hasFocus(view)&&spec.views.length>1?view.summary():"",own=()=>views.length===1?views[0].summary():"",parts=()=>views.find(
view=>view.largest).largest(),authored=()=>spec.says?.map(piece=>sayPiece(piece,frame,tools,parts)).join("");function say(next=frame){
let isFirst=frame===void 0;if(frame=next,!frame)return;let text=views.map((view,k)=>titled(view,k,pointed(view))).filter(
Boolean).join(" · ")||(authored()??own());shown.textContent!==text&&(shown.textContent=text),clearTimeout(timer),isFirst?
tell():timer=setTimeout(tell,CALM)}function tell(){let text=[shown.textContent,...views.map(view=>view.spoken?.())].filter(
Boolean).join(" ");!isMoving()&&heard.textContent!==text&&(heard.textContent=text)}return views.forEach(view=>{view.pointed||
(view.element.addEventListener("focusin",()=>say()),view.element.addEventListener("focusout",()=>setTimeout(say)))}),{element,
say,stop:()=>clearTimeout(timer)}}var BAR=58;function makeHeatmap(options,tools){let{rows,columns,show,reads}=options,print=printer(options.digits),[low,high]=options.
limits,element=html("div",{class:"live-heatmap"}),cells=[],shades=[],box,marker,numbers,cursor=null;function layout(width){
box=measure(rows,columns,width),shades=palette(low<0);let picture=svg("svg",{width:box.width,height:box.height,role:"img",
tabindex:0});picture.setAttribute("aria-label",(options.title||tools.name)+". Arrow keys read the cells."),cells=drawCells(
picture,box,rows.length,columns.length),drawLabels(picture,box,rows,columns),drawBar(picture,box,shades,[low,high],print),
marker=svg("rect",{class:"live-cursor",width:box.cw,height:box.ch,visibility:"hidden"}),picture.append(marker),listen(picture),
element.replaceChildren(picture)}function draw(frame){numbers=frame[show];let scale=255/(high-low||1);for(let k=0;k<numbers.
length;k++){let shade=shades[Math.max(0,Math.min(255,Math.round((numbers[k]-low)*scale)))];if(update(cells[k].rect,"fill",
shade.fill),!box.digits)continue;update(cells[k].text,"fill",shade.ink);let text=print(numbers[k]);cells[k].text.firstChild.
data!==text&&(cells[k].text.firstChild.data=text)}}let partsAt=k=>({row:rows[Math.floor(k/columns.length)],column:columns[k%
columns.length]}),read=k=>sentence(reads,{...partsAt(k),value:print(numbers[k])});function point(k){cursor=k;let visible=k!==
null;marker.setAttribute("visibility",visible?"visible":"hidden"),visible&&(marker.setAttribute("x",box.left+k%columns.length*
box.cw),marker.setAttribute("y",box.top+Math.floor(k/columns.length)*box.ch)),tools.say()}function listen(picture){picture.
addEventListener("pointermove",event=>{let frame=picture.getBoundingClientRect(),j=Math.floor((event.clientX-frame.left-
box.left)/box.cw),i=Math.floor((event.clientY-frame.top-box.top)/box.ch),k=i>=0&&i<rows.length&&j>=0&&j<columns.length?i*
columns.length+j:null;k!==cursor&&point(k)}),picture.addEventListener("pointerleave",()=>point(null)),picture.addEventListener(
"blur",()=>point(null)),picture.addEventListener("keydown",event=>{let next=step(event.key,cursor??0,rows.length,columns.
length);next!==null&&(event.preventDefault(),point(cursor===null?0:next))})}function summary(){return cursor!==null?read(
cursor):options.diverging&&Array.from(numbers,print).every(text=>Number(text)===0)?"no difference":sayLargest(numbers,read)}
return{element,layout,draw,pointed:()=>cursor===null?"":read(cursor),summary,largest:()=>partsOfLargest(numbers,partsAt),
tables:[{array:show,title:options.title,rows,columns,print}]}}function measure(rows,columns,width){let left=Math.min(Math.
max(...rows.map(text=>textWidth(text)))+10,.36*width),widest=Math.max(...columns.map(text=>textWidth(text))),most=columns.
length<=8?76:40,cw=Math.max(6,Math.min(most,Math.floor((width-left-BAR)/columns.length))),turned=widest>cw-4,lean=turned?
Math.min(widest,110)*.71:0;lean>BAR&&(cw=Math.max(6,Math.min(cw,Math.floor((width-left-lean)/columns.length))));let ch=Math.
min(Math.max(cw,rows.length===1?34:0),40),top=turned?lean+16:22,right=left+cw*columns.length,digits=cw>=30&&ch>=18;return{
left,top,cw,ch,turned,right,digits,width:right+Math.max(BAR,lean),height:top+ch*rows.length+6}}function drawCells(picture,box,n,m){
let cells=[];for(let i=0;i<n;i++)for(let j=0;j<m;j++){let x=box.left+j*box.cw,y=box.top+i*box.ch,rect=svg("rect",{x,y,width:box.
cw-1,height:box.ch-1}),text=svg("text",{x:x+box.cw/2,y:y+box.ch/2,class:"live-digits"}," ");picture.append(rect),box.digits&&
picture.append(text),cells.push({rect,text})}return cells}function drawLabels(picture,box,rows,columns){rows.forEach((label,i)=>{
let place={x:box.left-6,y:box.top+(i+.5)*box.ch,class:"live-label live-end"};box.ch<13&&(place.style=`font-size: ${Math.
max(8,box.ch-1)}px`),picture.append(svg("text",place,shorten(label,box.left-6)))}),columns.forEach((label,j)=>{let x=box.
left+(j+.5)*box.cw,y=box.top-6,turn=box.turned?{transform:`rotate(-45 ${x} ${y})`}:{class:"live-label live-middle"};box.
turned&&box.cw<16&&(turn.style=`font-size: ${Math.max(8,Math.round(.75*box.cw))}px`);let text=box.turned?shorten(label,110):
label;picture.append(svg("text",{x,y,class:"live-label",...turn},text))})}function drawBar(picture,box,shades,limits,print){
let height=box.height-box.top-7,x=box.right+10,parts=16;for(let k=0;k<parts;k++){let shade=shades[Math.round(255*(parts-
1-k)/(parts-1))],y=box.top+k*height/parts;picture.append(svg("rect",{x,y,width:10,height:height/parts+.5,fill:shade.fill}))}
picture.append(svg("rect",{x,y:box.top,width:10,height,class:"live-frame"})),picture.append(svg("text",{x:x+14,y:box.top+
6,class:"live-label"},print(limits[1]))),picture.append(svg("text",{x:x+14,y:box.top+Math.max(height-5,21),class:"live-l\
abel"},print(limits[0])))}function step(key,k,n,m){let i=Math.floor(k/m),j=k%m;return key==="ArrowLeft"?i*m+Math.max(0,j-
1):key==="ArrowRight"?i*m+Math.min(m-1,j+1):key==="ArrowUp"?Math.max(0,i-1)*m+j:key==="ArrowDown"?Math.min(n-1,i+1)*m+j:
null}var HEIGHT=24;function makeBars(options,tools){let{labels,show,reads}=options,print=printer(options.digits),[low,high]=options.
limits,element=html("div",{class:"live-bars"}),bars=[],numbers,left,room,cursor=null,inside=value=>Math.max(low,Math.min(
high,value)),place=value=>left+room*(inside(value)-low)/(high-low);function layout(width){left=Math.min(Math.max(...labels.
map(text=>textWidth(text)))+12,.5*width),room=Math.min(width-left,460)-textWidth(print(high))-16;let size={width:Math.min(
width,left+460),height:labels.length*HEIGHT+4},picture=svg("svg",{...size,role:"img",tabindex:0});picture.setAttribute("\
aria-label",(options.title||tools.name)+". Arrow keys read the bars."),bars=labels.map((label,j)=>drawBar2(picture,label,
j,left)),picture.append(svg("line",{x1:place(0),x2:place(0),y1:0,y2:size.height-4,class:"live-axis"})),listen(picture),element.
replaceChildren(picture)}function draw(frame){numbers=frame[show],numbers.forEach((value,j)=>{let[start,end]=[place(Math.
min(0,value)),place(Math.max(0,value))];update(bars[j].rect,"x",start.toFixed(1)),update(bars[j].rect,"width",(end-start).
toFixed(1)),update(bars[j].text,"x",(end+6).toFixed(1));let text=print(value);bars[j].text.textContent!==text&&(bars[j].
text.textContent=text)})}let read=j=>sentence(reads,{label:labels[j],value:print(numbers[j])});function point(j){cursor=
j,bars.forEach((bar,at)=>bar.rect.classList.toggle("live-chosen",at===j)),tools.say()}function listen(picture){picture.addEventListener(
"pointermove",event=>{let j=Math.floor((event.clientY-picture.getBoundingClientRect().top)/HEIGHT),next=j>=0&&j<labels.length?
j:null;next!==cursor&&point(next)}),picture.addEventListener("pointerleave",()=>point(null)),picture.addEventListener("b\
lur",()=>point(null)),picture.addEventListener("keydown",event=>{let move={ArrowUp:-1,ArrowDown:1}[event.key];move&&(event.
preventDefault(),point(cursor===null?0:Math.max(0,Math.min(labels.length-1,cursor+move))))})}return{element,layout,draw,
pointed:()=>cursor===null?"":read(cursor),summary:()=>cursor===null?sayLargest(numbers,read):read(cursor),largest:()=>partsOfLargest(
numbers,j=>({label:labels[j]})),tables:[{array:show,title:options.title,rows:labels,columns:["value"],print}]}}function drawBar2(picture,label,j,left){
let middle=j*HEIGHT+HEIGHT/2,name={x:left-8,y:middle,class:"live-label live-end"};picture.append(svg("text",name,shorten(
label,left-8)));let rect=svg("rect",{y:j*HEIGHT+3,height:HEIGHT-6,class:"live-bar"}),text=svg("text",{y:middle,class:"li\
ve-label"});return picture.append(rect,text),{rect,text}}var EDGE=26,KINDS=["values","keys","query","output"];function makePlane(options,tools){let print=printer(options.digits),
[low,high]=options.limits,element=html("div",{class:"live-plane"}),named=options.values?"values":"keys",size,marks,lines,
last,toX=x=>EDGE+(x-low)/(high-low)*(size-EDGE-8),toY=y=>size-EDGE-(y-low)/(high-low)*(size-EDGE-8);function layout(width){
size=Math.min(width,400);let picture=svg("svg",{width:size,height:size,role:"img",tabindex:0}),help=options.drag?". Arro\
w keys move the query.":"";picture.setAttribute("aria-label",(options.title||tools.name)+help),drawGrid(picture,ticks(low,
high,6),toX,toY,[low,high]),options.region_points&&picture.append(drawRegion(picture,options.region_points,toX,toY)),lines=
svg("g",{class:"live-pulls"}),marks=svg("g"),picture.append(lines,marks),options.drag&&listenToDrag(picture),element.replaceChildren(
picture,legend(options)),last=null}function points(kind,frame){let given=options[kind];if(given==null)return[];let flat=typeof given==
"string"?Array.from(frame[given]):given.flat();return Array.from({length:flat.length/2},(_,i)=>[flat[2*i],flat[2*i+1]])}
function draw(frame){let weights=options.weights?frame[options.weights]:null;last=Object.fromEntries(KINDS.map(kind=>[kind,
points(kind,frame)])),marks.childNodes.length||KINDS.forEach(kind=>addMarks(kind,last[kind]));let at=0;for(let kind of KINDS)
last[kind].forEach(([x,y],j)=>{let grown=kind===named&&weights?4+13*Math.sqrt(Math.max(0,weights[j])):null;place(marks.childNodes[at++],
kind,x,y,grown,j)});drawPulls(weights)}function addMarks(kind,list){list.forEach((_,j)=>{let group=svg("g",{class:`live-\
mark live-${kind}`});group.append(shape(kind)),kind===named&&options.labels[j]&&group.append(svg("text",{class:"live-lab\
el"},options.labels[j])),marks.append(group)})}function place(group,kind,x,y,grown,j){let[px,py]=[toX(x),toY(y)];update(
group,"transform",`translate(${px.toFixed(1)} ${py.toFixed(1)})`),grown!==null&&update(group.firstChild,"r",grown.toFixed(
1));let text=group.childNodes[1];if(!text)return;let reach=(grown??6)+4,flip=px+reach+textWidth(options.labels[j])>size;
update(text,"x",flip?-reach:reach),update(text,"class",flip?"live-label live-end":"live-label")}function drawPulls(weights){
if(!weights||!last.output.length)return;let[[x,y]]=last.output;lines.childNodes.length||last[named].forEach(()=>lines.append(
svg("line",{class:`live-${named}`}))),last[named].forEach(([vx,vy],j)=>{let ends={x1:toX(x),y1:toY(y),x2:toX(vx),y2:toY(
vy)},line=lines.childNodes[j];for(let[name,value]of Object.entries(ends))update(line,name,value.toFixed(1));update(line,
"stroke-width",(5*Math.max(0,weights[j])).toFixed(2))})}function listenToDrag(picture){let[across,up]=options.drag;makeDraggable(
picture,event=>{let frame=picture.getBoundingClientRect(),span=size-EDGE-8;tools.set(across,low+(event.clientX-frame.left-
EDGE)/span*(high-low)),tools.set(up,low+(size-EDGE-(event.clientY-frame.top))/span*(high-low))},{ArrowLeft:[across,-1],ArrowRight:[
across,1],ArrowUp:[up,1],ArrowDown:[up,-1]},tools.nudge)}function summary(){return["query","output"].filter(kind=>last[kind].
length).map(kind=>`${kind} at (${last[kind][0].map(print).join(", ")})`).join("; ")}return{element,layout,draw,summary,tables:tablesOf(
options,print)}}function tablesOf(options,print){let tables=[],names=count=>Array.from({length:count},(_,j)=>options.labels[j]??
`number ${j+1}`);for(let kind of KINDS){let given=options[kind];if(typeof given!="string")continue;let rows=kind==="quer\
y"||kind==="output"?[kind]:names;tables.push({array:given,title:kind,rows,columns:["across","up"],print})}return options.
weights&&tables.push({array:options.weights,title:"weights",rows:names,columns:["weight"],print}),tables}function shape(kind){
return kind==="query"?svg("path",{d:"M0 -9 L8 6 L-8 6 Z"}):kind==="output"?svg("path",{d:"M0 -8 L8 0 L0 8 L-8 0 Z"}):kind===
"keys"?svg("circle",{r:6,class:"live-hollow"}):svg("circle",{r:6})}function legend(options){let list=html("div",{class:"\
live-legend"});for(let kind of KINDS){if(options[kind]===null||options[kind]===void 0)continue;let picture=svg("svg",{width:18,
height:18,"aria-hidden":"true"}),group=svg("g",{class:`live-mark live-${kind}`,transform:"translate(9 9) scale(.8)"});group.
append(shape(kind)),picture.append(group);let entry=html("span");entry.append(picture,kind),list.append(entry)}return list}
function drawGrid(picture,{at,print},toX,toY,[low,high]){for(let value of at){let kind=Math.abs(value)<1e-9?"live-axis":
"live-grid";picture.append(svg("line",{x1:toX(value),x2:toX(value),y1:toY(low),y2:toY(high),class:kind})),picture.append(
svg("line",{x1:toX(low),x2:toX(high),y1:toY(value),y2:toY(value),class:kind})),picture.append(svg("text",{x:toX(value),y:toY(
low)+14,class:"live-label live-middle"},print(value))),picture.append(svg("text",{x:toX(low)-5,y:toY(value),class:"live-\
label live-end"},print(value)))}}function drawRegion(picture,corners,toX,toY){let clip=`live-clip-${Math.random().toString(
36).slice(2)}`,bounds=svg("clipPath",{id:clip}),edge=Number(picture.getAttribute("width"));bounds.append(svg("rect",{x:EDGE,
y:8,width:edge-EDGE-8,height:edge-EDGE-8})),picture.append(bounds);let path=corners.map(([x,y])=>`${toX(x).toFixed(1)},${toY(
y).toFixed(1)}`).join(" ");return svg("polygon",{points:path,class:"live-region","clip-path":`url(#${clip})`})}var LEFT=74,RIGHT=12,TOP=10,BOTTOM=42;function makeCurve(options,tools){let print=printer(options.digits),xs=options.x,[
pointsX,pointsY]=options.points??[[],[]],queries=options.at?tools.control(options.at).values:[],across=[...xs,...pointsX,
...queries],[left,right]=[Math.min(...across),Math.max(...across)],[low,high]=options.limits,element=html("div",{class:"\
live-curve"}),width,height,dots,path,query,level,spot,last,toX=x=>LEFT+(x-left)/(right-left)*(width-LEFT-RIGHT),toY=y=>height-
BOTTOM-(y-low)/(high-low)*(height-TOP-BOTTOM);function layout(room){width=Math.min(room,640),height=Math.max(220,Math.min(
360,.62*width));let picture=svg("svg",{width,height,role:"img",tabindex:0}),help=options.at?". Arrow keys move the query\
.":"";picture.setAttribute("aria-label",(options.title||tools.name)+help),drawAxes(picture),dots=pointsX.map((x,j)=>svg(
"circle",{cx:toX(x),cy:toY(pointsY[j]),r:3,class:"live-dot"})),path=svg("path",{class:"live-line"}),query=svg("line",{y1:TOP,
y2:height-BOTTOM,class:"live-query-line"}),level=svg("line",{x1:LEFT,class:"live-reading-line"}),spot=svg("path",{d:"M0 \
-8 L8 0 L0 8 L-8 0 Z",class:"live-mark live-output"}),picture.append(...dots,path),options.at&&picture.append(query),options.
reading&&picture.append(level,spot),options.at&&listenToDrag(picture),element.replaceChildren(picture)}function drawAxes(picture){
let add=(tag,attributes,text)=>picture.append(svg(tag,attributes,text)),horizontal=ticks(left,right,width/90),vertical=ticks(
low,high,5);for(let x of horizontal.at)add("line",{x1:toX(x),x2:toX(x),y1:TOP,y2:height-BOTTOM,class:"live-grid"}),add("\
text",{x:toX(x),y:height-BOTTOM+14,class:"live-label live-middle"},horizontal.print(x));for(let y2 of vertical.at)add("l\
ine",{x1:LEFT,x2:width-RIGHT,y1:toY(y2),y2:toY(y2),class:"live-grid"}),add("text",{x:LEFT-6,y:toY(y2),class:"live-label \
live-end"},vertical.print(y2));add("text",{x:(LEFT+width)/2,y:height-8,class:"live-label live-middle"},options.xlabel);let y=(height-
BOTTOM)/2;add("text",{x:9,y,class:"live-label live-middle",transform:`rotate(-90 9 ${y})`},options.ylabel)}function draw(frame){
last=frame;let heights=frame[options.show],inside=y2=>Math.max(low,Math.min(high,y2)),steps=xs.map((x2,i)=>`${toX(x2).toFixed(
1)} ${toY(inside(heights[i])).toFixed(1)}`);if(update(path,"d","M"+steps.join(" L")),options.weights&&drawWeights(frame[options.
weights]),!options.at)return;let x=toX(queries[tools.place(options.at)]);if(update(query,"x1",x),update(query,"x2",x),!options.
reading)return;let y=toY(inside(frame[options.reading][0]));update(level,"x2",x),update(level,"y1",y),update(level,"y2",
y),update(spot,"transform",`translate(${x.toFixed(1)} ${y.toFixed(1)})`)}function drawWeights(weights){let most=Math.max(
...weights)||1;dots.forEach((dot,j)=>{let share=Math.max(0,weights[j])/most;update(dot,"r",(2.5+5*share).toFixed(1)),update(
dot,"fill-opacity",(.15+.75*share).toFixed(2))})}function listenToDrag(picture){let follow2=event=>{let along=(event.clientX-
picture.getBoundingClientRect().left-LEFT)/(width-LEFT-RIGHT);tools.set(options.at,left+along*(right-left))},keys={ArrowLeft:[
options.at,-1],ArrowRight:[options.at,1]};makeDraggable(picture,follow2,keys,tools.nudge)}function summary(){return!options.
at||!options.reading?"":`at ${tools.control(options.at).texts[tools.place(options.at)]} the curve reads ${print(last[options.
reading][0])}`}let rows=count=>Array.from({length:count},(_,j)=>options.labels[j]??`point ${j+1}`),tables=[{array:options.
show,title:"curve",rows:xs.map(x=>printer(2)(x)),columns:["height"],print}];return options.weights&&tables.push({array:options.
weights,title:"weights",rows,columns:["weight"],print:printer(4)}),options.reading&&tables.push({array:options.reading,title:"\
reading",rows:["query"],columns:["reads"],print}),{element,layout,draw,summary,tables}}var STEPS={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function makeChoice(group,elements,{at,asks},tools){let order=asks.
map((word,place)=>({place,element:elements[word]}));return order.sort((one,other)=>elements.indexOf(one.element)-elements.
indexOf(other.element)),group.setAttribute("role","radiogroup"),group.setAttribute("aria-label",tools.control(at).label),
order.forEach(({place,element})=>{element.setAttribute("role","radio"),element.classList.add("live-asks"),element.addEventListener(
"click",()=>{tools.choose(at,place),element.focus({preventScroll:!0})})}),group.addEventListener("keydown",event=>{let here=order.
findIndex(({element})=>element===event.target),next=here<0?void 0:step2(event.key,here,order.length);next!==void 0&&(event.
preventDefault(),event.ctrlKey||tools.choose(at,order[next].place),order[next].element.focus())}),function(){let chosen=tools.
place(at);return order.forEach(({place,element})=>{element.setAttribute("aria-checked",String(place===chosen)),element.setAttribute(
"tabindex",place===chosen?"0":"-1")}),asks[chosen]}}function step2(key,here,count){return key===" "||key==="Enter"?here:
key==="Home"?0:key==="End"?count-1:STEPS[key]&&(here+STEPS[key]+count)%count}function makeReadable(group,count,point){let cursor=null;
group.setAttribute("tabindex","0"),group.addEventListener("keydown",event=>{let next=step2(event.key,cursor??(STEPS[event.
key]<0?0:-1),count);next===void 0||next<0||(event.preventDefault(),point(cursor=next))}),group.addEventListener("blur",()=>point(
cursor=null))}function listenToWords(elements,point){elements.forEach((element,j)=>{for(let event of["pointerenter","foc\
us"])element.addEventListener(event,()=>point(j));for(let event of["pointerleave","blur"])element.addEventListener(event,
()=>point(null))})}function makeSentence(options,tools){let{words,show,at,reads}=options,print=printer(options.digits),[low,high]=options.limits,
element=html("div",{class:"live-sentence"}),spans=words.map(word=>html("span",{class:"live-word","data-word":word},word)),
text=html("div",{class:"live-running"}),scale=html("div",{class:"live-scale","aria-hidden":"true"}),bar=html("span",{class:"\
live-scale-bar"}),shades,numbers,chosen,cursor=null;text.append(...spans.flatMap(span=>[span," "])),scale.append(print(low),
bar,print(high));let mark=at?makeChoice(text,spans,options,tools):()=>{};at||readWithKeys(),listenToWords(spans,point);function readWithKeys(){
text.setAttribute("role","group"),text.setAttribute("aria-label",(options.title||tools.name)+". Arrow keys read the word\
s."),makeReadable(text,words.length,point)}function layout(){shades=palette(low<0),bar.style.background=`linear-gradient\
(to right, ${[0,64,128,191,255].map(k=>shades[k].fill)})`,element.hasChildNodes()||element.append(text,scale)}function draw(frame){
numbers=frame[show],chosen=mark(),spans.forEach((span,j)=>{let level=Math.round((numbers[j]-low)/(high-low||1)*255),shade=shades[Math.
max(0,Math.min(255,level))];update(span,"style",`background: ${shade.fill}; color: ${shade.ink}`),update(span,"aria-desc\
ription",print(numbers[j]))})}let read=j=>sentence(reads,{asks:words[chosen],word:words[j],value:print(numbers[j])});function point(j){
cursor!==j&&(cursor=j,spans.forEach((span,k)=>span.classList.toggle("live-pointed",k===j)),tools.say())}let pointed=()=>cursor===
null||cursor===chosen?"":read(cursor);return{element,layout,draw,pointed,summary:()=>pointed()||sayLargest(numbers,read),
largest:()=>partsOfLargest(numbers,j=>({word:words[j],...at&&{asks:words[chosen]}})),tables:[{array:show,title:options.title,
rows:words,columns:["value"],print}]}}var FONT="system-ui, sans-serif",SIZES=[16,15,14,13],PAD=.3,GAP=[2,34],HEIGHT2=28,PEAK=[130,64],BULGE=180,NARROW=520,WIDEST=8;
function makeArcs(options,tools){let{words,show,at,reads,least}=options,heads=options.heads.length?options.heads:[""],count=words.
length,print=printer(options.digits),[low,high]=options.limits,element=html("div",{class:"live-arcs"}),hasDigits=at!==null&&
heads.length===1,isOn=heads.map(()=>!0),box,groups,lines,digits,mark,numbers,chosen,cursor=null;function layout(width){let focused=groups?.
indexOf(document.activeElement)??-1;box=measure2(words,width,hasDigits?textSize(print(high),11)+8:0);let size={width:box.
width,height:box.height,viewBox:`0 0 ${box.width} ${box.height}`},picture=svg("svg",{...size,class:`live-${box.kind}`}),
drawn=svg("g",{"aria-hidden":"true",class:"live-arc-lines"});groups=words.map((word,j)=>drawWord(word,box.boxes[j],box.size)),
digits=words.map((_,j)=>svg("text",{...box.digits[j],class:"live-label live-arc-digits","aria-hidden":"true"})),lines=new Map,
picture.append(drawn,...groups,...hasDigits?digits:[]),mark=at?makeChoice(picture,groups,options,tools):readWithKeys(picture),
listenToWords(groups,point),element.replaceChildren(picture,...options.heads.length?[legend2()]:[]),focused>=0&&groups[focused].
focus()}function readWithKeys(picture){return picture.setAttribute("role","img"),picture.setAttribute("aria-label",(options.
title||tools.name)+". Arrow keys read the words."),makeReadable(picture,count,point),()=>{}}function legend2(){let list=html(
"div",{class:"live-legend",role:"group","aria-label":"lines shown"});return options.heads.forEach((head,h)=>{let button=html(
"button",{type:"button",class:"live-head","aria-pressed":String(isOn[h])}),picture=svg("svg",{width:34,height:12,"aria-h\
idden":"true",class:"live-arc-lines"});picture.append(svg("path",{d:"M1 6H33",class:headClass(h),"stroke-width":4})),button.
append(picture,head),button.addEventListener("click",()=>{isOn[h]=!isOn[h],button.setAttribute("aria-pressed",String(isOn[h])),
drawLines(),tools.say()}),list.append(button)}),list}let weight=(h,i,j)=>numbers[at?h*count+j:(h*count+i)*count+j],askers=()=>at?
[chosen]:words.map((_,i)=>i),isPointed=()=>cursor!==null&&cursor!==chosen;function draw(frame){numbers=frame[show],chosen=
mark(),drawLines(),groups.forEach((group,j)=>at&&update(group,"aria-description",valueOf(chosen,j))),hasDigits&&digits.forEach(
(text,j)=>text.textContent=weight(0,chosen,j)<least?"":print(weight(0,chosen,j)))}function drawLines(){let used=new Set;
for(let i of askers())for(let h=0;h<heads.length;h++)for(let j=0;j<count;j++){if(!isOn[h]||weight(h,i,j)<least||!at&&isPointed()&&
cursor!==i)continue;let key=`${h} ${i} ${j}`;used.add(key),drawLine(lineOf(key,h,i,j),weight(h,i,j),at&&isPointed()&&cursor!==
j)}lines.forEach((line,key)=>update(line,"visibility",used.has(key)?"visible":"hidden"))}function lineOf(key,h,i,j){if(!lines.
has(key)){let line=svg("path",{d:box.bend(i,j,h,heads.length),class:headClass(h)});element.querySelector(".live-arc-line\
s").append(line),lines.set(key,line)}return lines.get(key)}function drawLine(line,value,isFaint){let share=Math.max(0,Math.
min(1,(value-low)/(high-low||1)));update(line,"stroke-width",(.8+(WIDEST-.8)*share).toFixed(2)),update(line,"stroke-opac\
ity",((.3+.6*Math.sqrt(share))*(isFaint?.25:1)).toFixed(2))}function valueOf(i,j){return options.heads.length?heads.flatMap(
(head,h)=>isOn[h]?`${head} ${print(weight(h,i,j))}`:[]).join(", ")||"–":print(weight(0,i,j))}let read=(i,j)=>sentence(
reads,{asks:words[i],word:words[j],value:valueOf(i,j)});function point(j){cursor!==j&&(cursor=j,groups.forEach((group,k)=>group.
classList.toggle("live-pointed",k===j)),drawLines(),tools.say())}function pointed(){if(!isPointed())return"";if(at)return read(
chosen,cursor);let most=heads.map((_,h)=>h).filter(h=>isOn[h]),sums=words.map((_,j)=>most.reduce((sum,h)=>sum+weight(h,cursor,
j),0));return read(cursor,sums.indexOf(Math.max(...sums)))}let askerOf=k=>at?chosen:Math.floor(k/count)%count,partsOf=k=>({
asks:words[askerOf(k)],word:words[k%count],...options.heads.length&&{head:heads[Math.floor(k/(at?count:count*count))]}});
return{element,layout,draw,pointed,summary:()=>pointed()||sayLargest(numbers,k=>read(askerOf(k),k%count)),largest:()=>partsOfLargest(
numbers,partsOf),tables:[{array:show,title:options.title,...tableLabels(options),print}]}}function tableLabels({words,heads,
at}){return at&&!heads.length?{rows:words,columns:["value"]}:at?{rows:heads,columns:words}:{rows:heads.length?heads.flatMap(
head=>words.map(word=>`${head}: ${word}`)):words,columns:words}}var headClass=h=>`live-arc live-arc-${h%6}`,pen;function textSize(text,size){
return pen??=document.createElement("canvas").getContext("2d"),pen.font=`600 ${size}px ${FONT}`,Math.ceil(pen.measureText(
text).width)}function measure2(words,width,digitsRoom){for(let size of SIZES){let widths=boxWidths(words,size),free=width-
widths.reduce((sum,each)=>sum+each,0),gap=Math.min(GAP[1],free/Math.max(1,words.length-1));if(gap>=GAP[0])return measureRows(
[widths],gap,size,digitsRoom)}return width<NARROW?measureList(words,width,digitsRoom):measureRows(wrap(boxWidths(words,SIZES[1]),
width,8),8,SIZES[1],digitsRoom)}var boxWidths=(words,size)=>words.map(word=>Math.max(24,textSize(word,size)+2*PAD*size));
function wrap(widths,width,gap){let fill2=limit2=>{let rows=[],used=1/0;for(let each of widths)used+each>limit2&&(used=(rows.
push([]),0)),rows.at(-1).push(each),used+=each+gap;return rows},few=fill2(width).length,limit=width;for(;limit>8&&fill2(
limit-8).length===few;)limit-=8;return fill2(limit)}function measureRows(rows,gap,size,digitsRoom){let starts=rows.map(row=>row.
map((_,j)=>row.slice(0,j).reduce((sum,each)=>sum+each+gap,0))),end=Math.max(...rows.map((row,r)=>starts[r].at(-1)+row.at(
-1))),peak=Math.max(34,Math.min(PEAK[rows.length>1?1:0],.3*end+10)),under=digitsRoom?17:2,step3=peak+14+HEIGHT2+under,foot=r=>r*
step3+peak+12,boxes=rows.flatMap((row,r)=>row.map((each,j)=>({x:starts[r][j],y:foot(r),width:each,height:HEIGHT2}))),middles=boxes.
map(box=>box.x+box.width/2),out=length=>18+(peak-18)*Math.min(1,length/(end-24||1)),bends=rows.map((_,r)=>bender(middles,
out,(x,away)=>`${x.toFixed(1)} ${(foot(r)-2-away).toFixed(1)}`)),rowOf=j=>rows.findIndex((_,r)=>boxes[j].y===foot(r));return{
kind:"row",size,width:Math.ceil(end),height:Math.ceil(rows.length*step3-2),boxes,digits:boxes.map(({y},j)=>({x:middles[j],
y:y+HEIGHT2+9,"text-anchor":"middle"})),bend(i,j,h,heads){return rowOf(i)===rowOf(j)?bends[rowOf(i)](i,j,h,heads):between(
boxes[i],boxes[j],sideways(h,heads),under)}}}function between(from,to,shift,under){let isUp=to.y<from.y,[high,low]=isUp?
[to,from]:[from,to],ends=[high,low].map(box=>(box.x+box.width/2+shift).toFixed(1)),[top,bottom]=[high.y+HEIGHT2+under,low.
y-2],half=(bottom-top)/2;return`M${ends[0]} ${top}C${ends[0]} ${top+half} ${ends[1]} ${bottom-half} ${ends[1]} ${bottom}`}
function measureList(words,width,digitsRoom){let size=SIZES[1],column=Math.min(Math.max(...boxWidths(words,size)),width-
digitsRoom-70),left=column+digitsRoom+4,bulge=Math.min(BULGE,width-left-12),middles=words.map((_,j)=>(j+.5)*(HEIGHT2+2)),
span=middles.at(-1)-middles[0],out=length=>16+(bulge-16)*Math.sqrt(length/(span||1));return{kind:"list",size,width:Math.
ceil(left+bulge+12),height:words.length*(HEIGHT2+2),boxes:middles.map(y=>({x:0,y:y-HEIGHT2/2,width:column,height:HEIGHT2})),
digits:middles.map(y=>({x:left-6,y,"text-anchor":"end"})),bend:bender(middles,out,(along,away)=>`${(left+away).toFixed(1)}\
 ${along.toFixed(1)}`)}}var sideways=(h,heads)=>4*(h-(heads-1)/2);function bender(middles,out,place){return(i,j,h,heads)=>{
let from=middles[i]+sideways(h,heads);if(i===j)return`M${place(from-5,0)}C${place(from-15,22)} ${place(from+15,22)} ${place(
from+5,0)}`;let to=middles[j]+sideways(h,heads),away=4/3*out(Math.abs(middles[j]-middles[i]))*(1-Math.min(.5,.14*h));return`\
M${place(from,0)}C${place(from,away)} ${place(to,away)} ${place(to,0)}`}}function drawWord(word,box,size){let group=svg(
"g",{class:"live-arc-word","aria-label":word}),middle={x:box.x+box.width/2,y:box.y+box.height/2};return group.append(svg(
"rect",{...box,rx:4})),group.append(svg("text",{...middle,class:"live-label live-middle",style:`font-size: ${size}px`},word)),
group}var MAKERS={heatmap:makeHeatmap,bars:makeBars,plane:makePlane,curve:makeCurve,sentence:makeSentence,arcs:makeArcs,text:makeText},
NARROWEST=240;async function render({model,el}){let spec=model.get("spec"),readFrame=frameReader(spec.arrays,model.get("\
frames")),models=await controlModels(model),places=()=>models.map((control,k)=>settle(spec.controls[k],control)),tools=toolsFor(
spec,models,()=>readout2.say()),views=spec.views.map(options=>MAKERS[options.kind](options,tools)),player=playerFor(spec,
models,()=>readout2.say()),readout2=makeReadout(spec,views,tools,()=>player?.isPlaying()),table=tableToggle(spec,views),
reset=html("button",{type:"button",class:"live-button",hidden:""},"Back to start");reset.addEventListener("click",()=>{models.
forEach((control,k)=>moveTo(spec.controls[k],control,spec.controls[k].start)),reset===document.activeElement&&table.button.
focus()});let bar=html("div",{class:"live-bar-of-buttons"});bar.append(table.button,reset);let stage=html("div",{class:"\
live-views"});spec.views.forEach((options,k)=>stage.append(panel(options,views[k]))),el.classList.add("live-drawing"),el.
setAttribute("role","group"),el.setAttribute("aria-label",spec.name),el.append(...player?[player.button]:[],stage,readout2.
element,bar,table.place);let pending=0,paint=()=>{if(pending=0,!views[0].element.hasChildNodes())return;let at=places(),
frame=readFrame(at);views.forEach(view=>view.draw(frame)),readout2.say(frame),table.fill(frame),reset.hidden=at.every((place,k)=>place===
spec.controls[k].start),el.dataset.places=at.join(" ")},request=()=>pending||=requestAnimationFrame(paint),stops=models.
map((control,k)=>follow(control,spec.controls[k],request)),above=models.filter((_,k)=>!spec.held.includes(spec.controls[k].
name));return stops.push(nameControls(el,above),watchWidth(stage,views,paint),watchTheme(stage,views,paint)),stops.push(
readout2.stop,...player?[player.stop]:[]),stops.push(showScroll(table.place,`Numbers of the figure: ${spec.name}`)),()=>{
cancelAnimationFrame(pending),stops.forEach(stop=>stop())}}function controlModels(model){let find=reference=>model.widget_manager.
get_model(reference.replace("IPY_MODEL_",""));return Promise.all(model.get("controls").map(find))}function toolsFor(spec,models,say){
let index=name=>spec.controls.findIndex(control=>control.name===name);return{name:spec.name,say,control:name=>spec.controls[index(
name)],place:name=>placeOf(spec.controls[index(name)],models[index(name)]),text:name=>spec.controls[index(name)].texts[placeOf(
spec.controls[index(name)],models[index(name)])],choose:(name,place)=>moveTo(spec.controls[index(name)],models[index(name)],
place),set(name,value){let k=index(name);moveTo(spec.controls[k],models[k],nearestPlace(spec.controls[k],value))},nudge(name,steps){
let k=index(name);moveTo(spec.controls[k],models[k],placeOf(spec.controls[k],models[k])+steps)}}}function playerFor(spec,models,ended){
let k=spec.controls.findIndex(control=>control.name===spec.play);return k<0?null:makePlayer(spec.controls[k],models[k],ended)}
function panel(options,view){let box=html("div",{class:"live-view"});return options.title&&box.append(html("p",{class:"l\
ive-title"},options.title)),box.append(view.element),box}function follow(model,control,request){let event=control.kind===
"index"?"change:index":"change:value";return model.on(event,request),()=>model.off(event,request)}function nameControls(el,models){
let isBeside=view=>view.el.closest(".live-figure")?.contains(el),name=async()=>{let views=await Promise.all(models.flatMap(
model=>Object.values(model.views??{})));views.forEach(makeAccessible),models.every(model=>views.some(view=>view.model===
model&&isBeside(view)))&&watcher.disconnect()},watcher=new MutationObserver(name);return watcher.observe(document.body,{
childList:!0,subtree:!0}),name(),()=>watcher.disconnect()}function watchWidth(stage,views,paint){let known=0,lay=()=>{let room=Math.
max(NARROWEST,Math.floor(stage.clientWidth));!stage.clientWidth||room===known||(known=room,layAll(stage,views),paint())},
watcher=new ResizeObserver(lay);return watcher.observe(stage),lay(),()=>watcher.disconnect()}function layAll(stage,views){
let room=Math.max(NARROWEST,Math.floor(stage.clientWidth)),beside=views.length>1&&room>=640?Math.floor((room-24)/2):room;
views.forEach(view=>view.layout(beside))}function watchTheme(stage,views,paint){let watcher=new MutationObserver(()=>stage.
clientWidth&&(layAll(stage,views),paint())),attributes={attributes:!0,attributeFilter:["data-theme","data-jp-theme-light"]};
return watcher.observe(document.documentElement,attributes),watcher.observe(document.body,attributes),()=>watcher.disconnect()}
function tableToggle(spec,views){let place=html("div",{class:"live-tables",hidden:""}),button=html("button",{type:"butto\
n",class:"live-button","aria-expanded":"false"},"Show as table"),shown=views.flatMap(view=>view.tables),said=tablesOfPieces(
spec.says??[]).filter(({array})=>!shown.some(table=>table.array===array)),wanted=[...shown,...said],last,fill2=frame=>{last=
frame,!place.hidden&&place.replaceChildren(...wanted.map(table=>makeTable(table,frame[table.array])))};return button.addEventListener(
"click",()=>{place.hidden=!place.hidden,button.setAttribute("aria-expanded",String(!place.hidden)),setText(button,place.
hidden?"Show as table":"Hide the table"),fill2(last)}),{button,place,fill:fill2}}function makeTable({array,title,rows,columns,
print},numbers){let labels=typeof rows=="function"?rows(numbers.length/columns.length):rows,table=html("table",{"data-ar\
ray":array});table.append(html("caption",{},title||array));let head=html("tr");return head.append(html("td"),...columns.
map(column=>html("th",{scope:"col"},column))),table.append(head),labels.forEach((label,i)=>{let line=html("tr");line.append(
html("th",{scope:"row"},label)),columns.forEach((_,j)=>line.append(html("td",{},print(numbers[i*columns.length+j])))),table.
append(line)}),table}function setText(element,text){element.textContent!==text&&(element.textContent=text)}var figure_default={
render};export{figure_default as default};
