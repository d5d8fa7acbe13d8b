function frameReader(arrays,view){let bytes=view.buffer.slice(view.byteOffset,view.byteOffset+view.byteLength);return places=>Object.
fromEntries(arrays.map(array=>[array.name,readArray(bytes,array,places)]))}function readArray(bytes,{begin,counts,shape,
low,high,steps},places){let size=shape.reduce((product,n)=>product*n,1),frame=counts.reduce((sum,count,k)=>sum*count+(count>
1?places[k]:0),0),Codes=steps>65535?Uint32Array:Uint16Array,first=begin+frame*size*Codes.BYTES_PER_ELEMENT,codes=new Codes(
bytes.slice(first,first+size*Codes.BYTES_PER_ELEMENT));return Float64Array.from(codes,code=>low+(high-low)/steps*code)}function placeOf(control,model){
return control.kind==="bool"?model.get("value")?1:0:control.kind==="value"?nearestPlace(control,model.get("value")):control.
texts[model.get("index")]===void 0?control.start:model.get("index")}function moveTo(control,model,place2){let at=Math.max(
0,Math.min(control.texts.length-1,place2));control.kind==="index"?model.set("index",at):model.set("value",control.kind===
"bool"?at===1:control.values[at]),model.save_changes?.()}function settle(control,model){let place2=placeOf(control,model);
return holds(control,model,place2)||moveTo(control,model,place2),place2}function holds({kind,values},model,place2){if(kind===
"bool")return!0;if(kind==="index")return model.get("index")===place2;let rounding=1e-9*(Math.abs(values[0])+Math.abs(values.
at(-1)));return Math.abs(model.get("value")-values[place2])<=rounding}function nearestPlace({values},number){let away=values.
map(value=>Math.abs(value-number));return Math.max(0,away.indexOf(Math.min(...away)))}var SVG="http://www.w3.org/2000/svg",NOTHING=[];function svg(tag,attributes={},content=NOTHING){return fill(document.createElementNS(
SVG,tag),attributes,content)}function html(tag,attributes={},content=NOTHING){return fill(document.createElement(tag),attributes,
content)}function fill(element,attributes,content){for(let[name,value]of Object.entries(attributes))element.setAttribute(
name,value);return element.append(...[content].flat()),element}function makeButton(attributes,content,act){let button=html(
"button",{type:"button",...attributes},content);return button.addEventListener("click",act),button}function update(element,name,value){
let text=String(value);element.getAttribute(name)!==text&&element.setAttribute(name,text)}function printer(digits){let zero=0 .
toFixed(digits);return value=>{let text=value.toFixed(digits);if(text==="-"+zero)return zero;let[whole,...decimals]=text.
split(".");return[Math.abs(value)<1e4?whole:whole.replace(/\B(?=(\d{3})+$)/g,","),...decimals].join(".")}}function ticks(low,high,count){
let rough=(high-low)/count,power2=10**Math.floor(Math.log10(rough)),step2=[1,2,5,10].map(factor=>factor*power2).find(size=>size>=
rough),first=Math.ceil(low/step2-1e-9),found=[];for(let k=first;k*step2<=high+1e-9*step2;k++)found.push(k*step2);let digits=Math.
max(0,-Math.floor(Math.log10(step2)+1e-9));return{at:found,print:printer(digits)}}function drawAxes(picture,{left,right,
top,bottom,below,beside,grid:grid2=void 0},[across2,toX],[up,toY]){for(let x of across2.at)grid2&&picture.append(svg("li\
ne",{x1:toX(x),x2:toX(x),y1:top,y2:bottom,class:grid2(x)})),picture.append(svg("text",{x:toX(x),y:bottom+below,class:"li\
ve-label live-middle"},across2.print(x)));for(let y of up.at)grid2&&picture.append(svg("line",{x1:left,x2:right,y1:toY(y),
y2:toY(y),class:grid2(y)})),picture.append(svg("text",{x:left-beside,y:toY(y),class:"live-label live-end"},up.print(y)))}
function textWidth(text,size=12){return text.length*size*.58}function shorten(text,width,size=12){let fits=Math.floor(width/
(size*.58));return text.length<=fits?text:text.slice(0,Math.max(1,fits-1))+"…"}function breakLines(things,widthOf2,room,gap){
let lines=[],used=1/0;for(let each of things)used+widthOf2(each)>room&&(used=(lines.push([]),0)),lines.at(-1).push(each),
used+=widthOf2(each)+gap;return lines}function pointsOf(given,frame){let flat=typeof given=="string"?frame[given]:(given??
[]).flat();return Array.from({length:flat.length/2},(_,i)=>[flat[2*i],flat[2*i+1]])}function place(element,numbers){for(let[
name,value]of Object.entries(numbers))update(element,name,value.toFixed(1))}var within=(low,high,value)=>Math.max(low,Math.
min(high,value));function between(list,at){let k=Math.floor(at);return list[k]+(at-k)*((list[k+1]??list[k])-list[k])}function setText(element,text){
let node=element.firstChild;node?node.nodeValue!==text&&(node.nodeValue=text):element.textContent=text}function labelsNow(labels,by,tools){
return by?()=>labels[tools.place(by)]:()=>labels}function watchSize(element,callback){if(!window.ResizeObserver)return addEventListener(
"resize",callback),requestAnimationFrame(callback),()=>removeEventListener("resize",callback);let watcher=new ResizeObserver(
callback);return watcher.observe(element),()=>watcher.disconnect()}function showScroll(box,name=""){let refresh=()=>{let room=box.
scrollWidth-box.clientWidth;if(box.classList.toggle("live-more-before",room>1&&box.scrollLeft>1),box.classList.toggle("l\
ive-more-after",room>1&&box.scrollLeft<room-1),!name)return;let wanted=room>1?{tabindex:"0",role:"region","aria-label":`${name}\
, scrolls sideways`}:{};for(let key of["tabindex","role","aria-label"])wanted[key]?box.setAttribute(key,wanted[key]):box.
removeAttribute(key)},stop=watchSize(box,refresh);return box.addEventListener("scroll",refresh,{passive:!0}),()=>{stop(),
box.removeEventListener("scroll",refresh)}}function makeAccessible(view){if(view.isAccessible)return;view.isAccessible=!0;let refresh=()=>describe(view);refresh(),
view.listenTo(view.model,"change",refresh),view.$slider&&watchText(view.$slider,refresh)}function watchText(slider,refresh){
new MutationObserver(refresh).observe(slider,{subtree:!0,attributeFilter:["aria-valuetext"]})}function describe({el,model}){
el.querySelectorAll(":scope > [title=null]").forEach(label=>label.removeAttribute("title"));let name=plainName(model);name&&
(el.querySelectorAll(":scope > .slider-container .noUi-handle").forEach((handle,i,handles)=>{handle.setAttribute("aria-l\
abel",handles.length===1?name:`${name}, ${i?"upper":"lower"} end`),handles.length===1&&update(handle,"aria-valuetext",readout(
el))}),el.querySelectorAll(":scope > :is(select, input), :scope > label > input[type=checkbox]").forEach(box=>box.setAttribute(
"aria-label",name)),el.querySelectorAll(":scope > .widget-readout").forEach(box=>{box.setAttribute("aria-label",`${name}\
, value`),box.isContentEditable&&box.setAttribute("role","textbox")}),el.classList.contains("widget-toggle-buttons")&&describeToggles(
el,name),el.classList.contains("widget-toggle-button")&&press(el,model.get("value")))}function describeToggles(el,name){
el.setAttribute("role","group"),el.setAttribute("aria-label",name),el.querySelectorAll("button").forEach(button=>press(button,
button.classList.contains("mod-active")))}function press(button,pressed){button.setAttribute("aria-pressed",String(!!pressed))}
function readout(el){return el.querySelector(":scope > .widget-readout")?.textContent??""}function plainName(model){return(model.
get("tooltip")||model.get("description")||"").replace(/\\[()[\]]|[${}]|<[^>]*>/g,"").replace(/\\([a-zA-Z]+)/g,"$1").trim()}var FRAME=16.666666666666668;function makeGlide(draw){let calm=matchMedia("(prefers-reduced-motion: reduce)"),ended=new AbortController,
frame,shown,rest,began,drawnAt,next,stepped=-1/0,isHeld=!1,listen=(event,held)=>addEventListener(event,()=>isHeld=held,{
capture:!0,signal:ended.signal});listen("pointerdown",!0),["pointerup","pointercancel"].forEach(event=>listen(event,!1));
function put(time){let left=Math.max(0,1-(time-began)/220)**3;if(shown={...frame},left)for(let[name,away]of rest)shown[name]=
frame[name].map((value,k)=>value+left*away[k]);drawnAt=time,draw(frame,shown),cancelAnimationFrame(next),left&&rest.size&&
(next=requestAnimationFrame(again))}let again=time=>time-drawnAt<FRAME/2?next=requestAnimationFrame(again):put(time);function to(wanted,isStep){
let now=performance.now(),isQuick=now-stepped<220,glides=isStep&&!calm.matches;glides&&(stepped=now),!glides||isQuick&&!isHeld?
rest=new Map:isHeld||([rest,began]=[restOf(shown,wanted),now-FRAME]),frame=wanted,put(now)}return{to,stop:()=>(ended.abort(),
cancelAnimationFrame(next))}}function restOf(shown,frame){let differ=Object.keys(frame).filter(name=>frame[name].some((value,k)=>value!==
shown[name][k]));return new Map(differ.map(name=>[name,frame[name].map((value,k)=>shown[name][k]-value)]))}var LONGEST=900,SHORTEST=120,IN_ALL=9e3,GO="M1 0l9 6-9 6z",PAUSE="M1 1h3v10H1zM7 1h3v10H7z";function makePlayer(control,model,ended){
let button=html("button",{type:"button",class:"live-play"}),calm=matchMedia("(prefers-reduced-motion: reduce)"),last=control.
texts.length-1,pause=Math.max(SHORTEST,Math.min(LONGEST,IN_ALL/last)),event=control.kind==="index"?"change:index":"chang\
e:value",timer=null,expected=null;function name(){let word=calm.matches?"Next":timer===null?"Play":"Pause",sign=svg("pat\
h",{d:timer===null?GO:PAUSE,fill:"currentColor"});button.replaceChildren(svg("svg",{width:11,height:12,"aria-hidden":"tr\
ue"},[sign]),word),button.setAttribute("aria-label",`${word} ${control.label}`)}function move(place2){expected=place2,moveTo(
control,model,place2)}function step2(){let here=placeOf(control,model);if(here>=last)return stop();move(here+1),timer=setTimeout(
step2,pause)}function stop(){timer!==null&&(clearTimeout(timer),timer=null,name(),ended())}function press2(){if(timer!==
null)return stop();let isAtEnd=placeOf(control,model)>=last;if(calm.matches)return move(isAtEnd?0:placeOf(control,model)+
1);isAtEnd&&move(0),timer=setTimeout(step2,isAtEnd?pause:0),name()}let moved=()=>placeOf(control,model)!==expected&&stop();
return button.addEventListener("click",press2),model.on(event,moved),calm.addEventListener("change",name),addEventListener(
"beforeprint",stop),name(),{button,isPlaying:()=>timer!==null,stop(){clearTimeout(timer),model.off(event,moved),calm.removeEventListener(
"change",name),removeEventListener("beforeprint",stop)}}}function makePicture(width,height,options,tools,help=""){return svg("svg",{width,height,...help?{role:"application",tabindex:0}:
{role:"img"},"aria-label":nameOf(options,tools,help)})}function hideInside(element){for(let part of element.querySelectorAll(
"svg[role=application] > *"))part.setAttribute("aria-hidden","true")}var nameOf=(options,tools,help)=>(options.title||tools.
name)+(help?`. Arrow keys ${help}.`:"");function makeTold(options,tools,{numbers,partsAt,mark,isOwn=_=>!1}){let print=printer(
options.digits),read=k=>sentence(options.reads,{...partsAt(k),value:print(numbers()[k])}),pointed=()=>told.cursor===null||
isOwn(told.cursor)?"":read(told.cursor),told={cursor:null,point(k){k!==told.cursor&&(told.cursor=k,mark(k),tools.say())},
pointed,summary(){let isNone=options.diverging&&Array.from(numbers(),print).every(text=>Number(text)===0);return pointed()||
(isNone?"no difference":sayLargest(numbers(),read))},largest:()=>partsOfLargest(numbers(),partsAt)};return told}function makePointable(picture,box,[
n,m],told){let down={ArrowUp:-1,ArrowDown:1},right=m>1?{ArrowLeft:-1,ArrowRight:1}:{};told.cursor=null;for(let event of[
"pointermove","pointerdown"])picture.addEventListener(event,event2=>told.point(cellAt(placeIn(picture,event2),box,[n,m])));
picture.addEventListener("pointerleave",({pointerType})=>pointerType==="mouse"&&told.point(null)),picture.addEventListener(
"blur",()=>told.point(null)),picture.addEventListener("keydown",event=>{let[i,j]=[down[event.key]??0,right[event.key]??0];
if(!i&&!j)return;event.preventDefault();let k=told.cursor;told.point(k===null?0:within(0,n-1,Math.floor(k/m)+i)*m+within(
0,m-1,k%m+j))})}function cellAt([px,py],{x,y,cw,ch},[n,m]){let[i,j]=[Math.floor((py-y)/ch),Math.floor((px-x)/cw)];return i>=
0&&i<n&&j>=0&&j<m?i*m+j:null}function makeDraggable(picture,[across2,up=null],read,tools){let keys={ArrowLeft:[across2,-1],
ArrowRight:[across2,1],...up&&{ArrowUp:[up,1],ArrowDown:[up,-1]}},follow2=event=>{let[x,y]=read(...placeIn(picture,event),
event);tools.set(across2,x),up&&tools.set(up,y)};picture.classList.add("live-drag"),picture.addEventListener("pointerdow\
n",event=>{picture.setPointerCapture(event.pointerId),follow2(event)}),picture.addEventListener("pointermove",event=>picture.
hasPointerCapture(event.pointerId)&&follow2(event)),picture.addEventListener("keydown",event=>{keys[event.key]&&(event.preventDefault(),
tools.nudge(...keys[event.key]))})}function placeIn(picture,event){let frame=picture.getBoundingClientRect();return[event.
clientX-frame.left,event.clientY-frame.top]}function sentence(template,parts){return template.replace(/\{(\w+)\}/g,(all,name)=>parts[name]??
all)}function sayLargest(numbers,read){let places=largestOf(numbers);if(places.length===numbers.length&&numbers.length>1)
return"all are equal: "+read(0);let more=places.length>3?` and ${places.length-3} more`:"";return"largest: "+places.slice(
0,3).map(read).join("; ")+more}function partsOfLargest(numbers,partsAt){let places=largestOf(numbers),all=places.map(partsAt),
join=name=>listed([...new Set(all.map(parts=>parts[name]))]);return{...Object.fromEntries(Object.keys(all[0]).map(name=>[
name,join(name)])),value:numbers[places[0]]}}function largestOf(numbers){let most=Math.max(...numbers);return Array.from(
numbers.keys()).filter(k=>numbers[k]===most)}function listed(texts){return texts.length>3?"several":texts.length===1?texts[0]:
`${texts.slice(0,-1).join(", ")} and ${texts.at(-1)}`}function sayPiece(piece,frame,tools,parts){if(typeof piece=="string")return piece;if(piece.control)return tools.text(piece.
control);let value=piece.array?frame[piece.array][0]:parts()[piece.part];if(typeof value!="number")return String(value);
let print=printer(piece.digits);return piece.percent?`${print(100*value)}%`:print(value)}function makeText(options,tools){
let element=html("p",{class:"live-text"}),parts=options.pieces.map(piece=>typeof piece=="string"?piece:html("span",{class:"\
live-number"}));function draw(frame){options.pieces.forEach((piece,k)=>{typeof piece!="string"&&setText(parts[k],sayPiece(
piece,frame,tools))})}return{element,isWide:!0,layout:()=>element.hasChildNodes()||element.append(...parts),draw,summary:()=>"",
spoken:()=>element.textContent}}var CALM=500;function makeReadout(spec,views,tools,isMoving){let shown=html("p",{class:"live-readout","aria-hidden":"tru\
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
say,stop:()=>clearTimeout(timer)}}function makeTables(spec,tools){let place2=html("div",{class:"live-tables",hidden:""}),button=html("button",{type:"butto\
n",class:"live-button","aria-expanded":"false"},"Show as table"),wanted=spec.views.flatMap(view=>view.tables.map(table=>({
...table,view}))),last,fill2=frame=>{last=frame,!place2.hidden&&place2.replaceChildren(...wanted.map(table=>makeTable(table,
frame[table.array],shapeOf(table.array),tools)))},shapeOf=name=>spec.arrays.find(array=>array.name===name).shape;return button.
addEventListener("click",()=>{place2.hidden=!place2.hidden,button.setAttribute("aria-expanded",String(!place2.hidden)),setText(
button,place2.hidden?"Show as table":"Hide the table"),fill2(last)}),{button,place:place2,fill:fill2}}function makeTable({
array,title,rows,columns,digits,view},numbers,shape,tools){let print=printer(digits??view.digits),across2=labelsOf(columns,
view,tools),count=across2.length||shape.at(-1),down=labelsOf(rows,view,tools),table=html("table",{"data-array":array});return table.
append(html("caption",{},title||array),html("tr")),table.lastChild.append(html("td"),...numbered(across2,count).map(label=>html(
"th",{scope:"col"},label))),numbered(down,numbers.length/count).forEach((label,i)=>{let line=html("tr"),cells2=Array.from(
numbers.slice(i*count,(i+1)*count),value=>html("td",{},print(value)));line.append(html("th",{scope:"row"},label),...cells2),
table.append(line)}),table}function labelsOf(given,view,tools){return(typeof given=="string"?labelsNow(view[given],view.
by,tools)():given).map(label=>typeof label=="number"?printer(2)(label):label)}var numbered=(labels,count)=>Array.from({length:count},
(_,k)=>labels[k]||String(k+1));var PALETTES={light:["#f7fbff","#deebf7","#c6dbef","#9ecae1","#6baed6","#4292c6","#2171b5","#08519c","#08306b"],dark:["#\
16202c","#17324d","#19466f","#1f5b8f","#2f74ad","#4f90c6","#79aedb","#aacdec","#dcecfa"],lightDifference:["#8c510a","#d8\
a25e","#f6e8c3","#f5f5f5","#c7eae5","#5ab4ac","#01665e"],darkDifference:["#f0b35c","#a8702c","#4e3a22","#20262d","#1d4a4\
8","#33958c","#7fe0d4"]},made=new Map;function isDark(){let root=document.documentElement;return root.dataset.theme?root.
dataset.theme==="dark":document.body.dataset.jpThemeLight==="false"}function palette(diverging){return shadesBetween(PALETTES[(isDark()?
"dark":"light")+(diverging?"Difference":"")])}function blend(strong,below){let pale=isDark()?"#1b222b":"#f6f8fa";return shadesBetween(
below?[below,pale,strong]:[pale,strong])}function shadesBetween(colours){let name=colours.join();return made.has(name)||
made.set(name,makeShades(colours)),made.get(name)}function makeShades(colours){let stops=colours.map(hex=>[1,3,5].map(i=>parseInt(
hex.slice(i,i+2),16)));return Array.from({length:256},(_,i)=>{let x=i/255*(stops.length-1),k=Math.min(Math.floor(x),stops.
length-2),rgb=stops[k].map((c,j)=>Math.round(c+(stops[k+1][j]-c)*(x-k)));return{rgb,fill:`rgb(${rgb})`,ink:luminance(rgb)>
.179?"#000":"#fff"}})}function luminance(rgb){let[r,g,b]=rgb.map(c=>c<=10?c/3294:((c/255+.055)/1.055)**2.4);return .2126*
r+.7152*g+.0722*b}function shadeOf(shades,value,[low,high]){return shades[within(0,255,Math.round((value-low)/(high-low||
1)*255))]}function makeCells(picture,[n,m],{x,y,cw,ch,gap=1,font,least=0},print){let cells2=Array.from({length:n*m},(_,k)=>{
let[left,top]=[x+k%m*cw,y+Math.floor(k/m)*ch],rect=svg("rect",{x:left,y:top,width:cw-gap,height:ch-gap}),middle={x:left+
cw/2,y:top+ch/2,class:"live-digits",style:`font-size: ${font}px`},text=font?svg("text",middle):null;return picture.append(
rect,...text?[text]:[]),{rect,text}});return(numbers,shown,shades,limits,cursor=null)=>cells2.forEach(({rect,text},k)=>{
let shade=shadeOf(shades,shown[k],limits);update(rect,"fill",shade.fill),text&&(update(text,"fill",shade.ink),setText(text,
Math.abs(numbers[k])<least&&k!==cursor?"":print(numbers[k])))})}var BAR=58,UPRIGHT=16,LEAST=.05;function makeHeatmap(options,tools){let{rows,columns,limits}=options,size=[rows.length,columns.
length],print=printer(options.digits),element=html("div",{class:"live-heatmap"}),least=options.digits&&LEAST*Math.max(...limits.
map(Math.abs)),box,shades,marker,paint,numbers,moving,told=makeTold(options,tools,{numbers:()=>numbers,partsAt:k=>({row:rows[Math.
floor(k/columns.length)],column:columns[k%columns.length]}),mark(k){update(marker,"visibility",k===null?"hidden":"visibl\
e"),place(marker,{x:box.x+k%columns.length*box.cw,y:box.y+Math.floor(k/columns.length)*box.ch}),paint(numbers,moving,shades,
limits,k)}}),labelRoom=width=>Math.min(Math.max(...rows.map(text=>textWidth(text)))+12,.36*width);function layout(width,labels,tallest){
box=measure(rows,columns,width,Math.max(labels,labelRoom(width)),Math.min(tallest,.65*width)),shades=palette(limits[0]<0);
let picture=makePicture(box.width,box.height,options,tools,"read the cells");paint=makeCells(picture,size,{...box,font:box.
digits&&12,least},print),drawLabels(picture,box,rows,columns),drawBar(picture,box,shades,limits,print),marker=svg("rect",
{class:"live-cursor",width:box.cw,height:box.ch,visibility:"hidden"}),picture.append(marker),makePointable(picture,box,size,
told),element.replaceChildren(picture)}function draw(frame,shown){[numbers,moving]=[frame[options.show],shown[options.show]],
paint(numbers,moving,shades,limits,told.cursor)}function slots(row){let[i,[low,high],{cw,ch}]=[rows.indexOf(row),limits,
box],foot=box.y+(i+1)*ch;return columns.map((name,j)=>({name,now:[numbers[i*columns.length+j]],limits:[limits],area:()=>({
x:box.x+j*cw,y:foot-ch,width:cw,height:ch}),path:([value])=>`M${box.x+(j+1)*cw} ${foot}v${-ch*(value-low)/(high-low)}h${-.25*
cw}V${foot}Z`,read:(_,y)=>[low+(foot-y)/ch*(high-low)]}))}return{...told,element,layout,labelRoom,draw,slots}}function measure(rows,columns,width,left,tallest){
let widest=Math.max(...columns.map(text=>textWidth(text))),most=columns.length<=3?140:columns.length<=8?96:56,cw=Math.max(
6,Math.min(most,Math.floor((width-left-BAR)/columns.length))),long=Math.min(widest,110),leaning=Math.min(cw,Math.floor((width-
left-.71*long)/columns.length)),turned=widest<=cw-4?0:leaning<UPRIGHT?90:45,[rise,lean]=turned===45?[.71*long,.71*long]:
[long,0];turned===45&&(cw=leaning);let ch=Math.min(Math.max(cw,rows.length===1?34:0),rows.length<=6?48:40,Math.max(14,tallest/
rows.length)),top=turned?rise+16:22,right=left+cw*columns.length,digits=cw>=30&&ch>=18;return{x:left,y:top,cw,ch,turned,
right,digits,width:right+Math.max(BAR,lean),height:top+ch*rows.length+6}}function drawLabels(picture,box,rows,columns){rows.
forEach((label,i)=>{let place2={x:box.x-6,y:box.y+(i+.5)*box.ch,class:"live-label live-end"};box.ch<13&&(place2.style=`f\
ont-size: ${Math.max(8,box.ch-1)}px`),picture.append(svg("text",place2,shorten(label,box.x-6)))}),columns.forEach((label,j)=>{
let x=box.x+(j+.5)*box.cw,y=box.y-6,turn2=box.turned?{transform:`rotate(${-box.turned} ${x} ${y})`}:{class:"live-label l\
ive-middle"};box.turned===90&&(turn2.style=`font-size: min(var(--live-size), ${Math.max(8,box.cw)}px)`);let text=box.turned?
shorten(label,110):label;picture.append(svg("text",{x,y,class:"live-label",...turn2},text))})}function drawBar(picture,box,shades,limits,print){
let height=box.height-box.y-7,x=box.right+10,parts=16;for(let k=0;k<parts;k++){let shade=shades[Math.round(255*(parts-1-
k)/(parts-1))],y=box.y+k*height/parts;picture.append(svg("rect",{x,y,width:10,height:height/parts+.5,fill:shade.fill}))}
picture.append(svg("rect",{x,y:box.y,width:10,height,class:"live-frame"})),picture.append(svg("text",{x:x+14,y:box.y+6,class:"\
live-label"},print(limits[1]))),picture.append(svg("text",{x:x+14,y:box.y+Math.max(height-5,21),class:"live-label"},print(
limits[0])))}var HEIGHT=24,LEAST2=130;function makeBars(options,tools){let labels=labelsNow(options.labels,options.by,tools),print=printer(
options.digits),[low,high]=options.limits,element=html("div",{class:"live-bars"}),bars,numbers,left,room,told=makeTold(options,
tools,{numbers:()=>numbers,partsAt:j=>({label:labels()[j]}),mark:j=>bars.forEach(({rect},at)=>rect.classList.toggle("liv\
e-chosen",at===j))}),toX=value=>left+room*(within(low,high,value)-low)/(high-low),labelRoom=width=>Math.min(Math.max(...options.
labels.flat().map(text=>textWidth(text)))+12,.5*width);function layout(width,shared){left=Math.min(Math.max(shared,labelRoom(
width)),.5*width),room=width-left-textWidth(print(high))-16;let height=labels().length*HEIGHT,picture=makePicture(width,
height+4,options,tools,"read the bars");bars=labels().map((_,j)=>drawBar2(picture,j,left)),picture.append(svg("line",{x1:toX(
0),x2:toX(0),y1:0,y2:height,class:"live-axis"})),makePointable(picture,{x:0,y:0,cw:width,ch:HEIGHT},[bars.length,1],told),
element.replaceChildren(picture)}function draw(frame,shown){numbers=frame[options.show];let drawn=shown[options.show];bars.
forEach(({name,rect,text},j)=>{let[start2,end]=[toX(Math.min(0,drawn[j])),toX(Math.max(0,drawn[j]))];setText(name,shorten(
labels()[j],left-8)),place(rect,{x:start2,width:end-start2}),place(text,{x:end+6}),setText(text,print(numbers[j]))})}let slots=()=>labels().
map((name,j)=>({name,now:[numbers[j]],limits:[options.limits],area:()=>({x:left,y:j*HEIGHT,width:room,height:HEIGHT}),path:([
value])=>`M${toX(0)} ${j*HEIGHT+1}H${toX(value)}v${HEIGHT-2}H${toX(0)}Z`,read:x=>[low+(x-left)/room*(high-low)]}));return{
...told,element,narrowest:labelRoom(1/0)+LEAST2,layout,labelRoom,draw,slots}}function drawBar2(picture,j,left){let middle=j*
HEIGHT+HEIGHT/2,name=svg("text",{x:left-8,y:middle,class:"live-label live-end"}),rect=svg("rect",{y:j*HEIGHT+3,height:HEIGHT-
6,class:"live-bar"}),text=svg("text",{y:middle,class:"live-label"});return picture.append(name,rect,text),{name,rect,text}}var HEIGHT2=14,SIDES=[[1,0],[-1,0],[0,-1],[0,1],[1,-1],[-1,-1],[1,1],[-1,1]],ANCHORS={"-1":"live-end",0:"live-middle",1:""};
function placeLabels(points,textOf,box,others=[]){let marks=points.map(({x,y,reach})=>around(x-reach,y-reach,2*reach,2*reach)),
taken=[];return points.map((point,j)=>{let text=textOf(j),tries=candidates(point,textWidth(text)),rest=[...marks.filter(
(_,k)=>k!==j),...others],costs=tries.map((each,k)=>.01*k+cost(each.area,box,taken,rest)),best=tries[costs.indexOf(Math.min(
...costs))];return text&&taken.push(best.area),best})}function candidates({x,y,reach,prefer},width){return(prefer?[...SIDES].
sort((a,b)=>turn(b,prefer)-turn(a,prefer)):SIDES).map(([dx,dy])=>{let far=dx&&dy?.75*reach:reach,px=x+dx*(far+3),py=y+dy*
(far+HEIGHT2/2);return{x:px,y:py,anchor:ANCHORS[dx],area:around(px-(1-dx)*width/2,py-HEIGHT2/2,width,HEIGHT2)}})}var turn=(side,[
c,d])=>(side[0]*c+side[1]*d)/Math.hypot(...side),around=(x,y,w,h)=>({left:x,right:x+w,top:y,bottom:y+h});function cost(area,box,taken,marks){
let inside={left:box.x,right:box.x+box.w,top:box.y,bottom:box.y+box.h},size=(area.right-area.left)*HEIGHT2||1,lost=1-overlap(
area,inside)/size,sum=list=>list.reduce((total,other)=>total+overlap(area,other),0)/size;return 4*lost+3*sum(taken)+sum(
marks)}function overlap(a,b){let w=Math.min(a.right,b.right)-Math.max(a.left,b.left),h=Math.min(a.bottom,b.bottom)-Math.
max(a.top,b.top);return w>0&&h>0?w*h:0}var EDGE=26,WIDEST=460,TIP=9,COLOURS={points:"green",rings:"orange",handle:"blue",result:"purple",moves_to:"purple"},KINDS=Object.
keys(COLOURS),MARKS={handle:"M0 -9 L8 6 L-8 6 Z",result:"M0 -8 L8 0 L0 8 L-8 0 Z"},grid=value=>Math.abs(value)<1e-9?"liv\
e-axis":"live-grid",classOf=kind=>`live-${kind} live-${COLOURS[kind]}`;function makePlane(options,tools){let print=printer(
options.digits),[low,high]=options.limits,element=html("div",{class:"live-plane"}),named=options.points?"points":"rings",
isArrow=kind=>kind==="moves_to"||options.arrows.includes(kind),size,layers,marks,weights,last,told,fromPixel=pixel=>low+
pixel/(size-EDGE-8)*(high-low),toX=x=>EDGE+(x-low)/(high-low)*(size-EDGE-8),toY=y=>size-EDGE-(y-low)/(high-low)*(size-EDGE-
8);function layout(width){size=Math.min(width,WIDEST);let picture=makePicture(size,size,options,tools,options.drag&&`mov\
e the ${options.called.handle}`),box={left:toX(low),right:toX(high),top:toY(high),bottom:toY(low),below:14,beside:5,grid};
drawAxes(picture,box,[ticks(low,high,6),toX],[ticks(low,high,6),toY]),options.region_points&&drawRegion(picture,options.
region_points,toX,toY,size),layers={pulls:svg("g",{class:"live-pulls"}),vectors:svg("g"),marks:svg("g")},picture.append(
...Object.values(layers)),options.drag&&makeDraggable(picture,options.drag,(x,y)=>[fromPixel(x-EDGE),fromPixel(size-EDGE-
y)],tools),element.replaceChildren(picture,legend()),marks=null}function draw(frame,shown){weights=options.weights?shown[options.
weights]:null,last=Object.fromEntries(KINDS.map(kind=>[kind,pointsOf(options[kind],shown)])),told=frame,marks??=KINDS.flatMap(
kind=>last[kind].map((_,j)=>addMark(kind,j))),marks.forEach(put),drawNames(marks.filter(({kind})=>kind===named))}function addMark(kind,j){
let text=kind===named&&options.labels[j]?svg("text",{class:"live-label"},options.labels[j]):null,line=isArrow(kind)?svg(
"line",{class:`live-vector ${classOf(kind)}`,"data-of":`${kind} ${j}`}):null,pull=kind===named&&weights&&last.result.length?
svg("line",{class:classOf(kind)}):null,group=svg("g",{class:`live-mark ${classOf(kind)}`},text?[shape(kind),text]:[shape(
kind)]);return layers.marks.append(group),line&&layers.vectors.append(line),pull&&layers.pulls.append(pull),{kind,j,group,
text,line,pull,angle:0}}function put(mark){let{kind,j,group,line,pull}=mark,[x,y]=last[kind][j].map((value,k)=>[toX,toY][k](
value));if(line){let[bx,by]=(kind==="moves_to"?last[named][j]:[0,0]).map((value,k)=>[toX,toY][k](value)),long=Math.hypot(
x-bx,y-by),back=long?Math.max(0,long-TIP)/long:0;MARKS[kind]||(mark.angle=Math.atan2(y-by,x-bx)*180/Math.PI),place(line,
{x1:bx,y1:by,x2:bx+(x-bx)*back,y2:by+(y-by)*back}),update(group,"visibility",long<1?"hidden":"visible")}let turn2=line&&
!MARKS[kind]?` rotate(${mark.angle.toFixed(1)})`:"";if(update(group,"transform",`translate(${x.toFixed(1)} ${y.toFixed(1)}\
)${turn2}`),grows(kind)&&place(group.firstChild,{r:radius(j)}),!pull)return;let[[rx,ry]]=last.result;place(pull,{x1:toX(
rx),y1:toY(ry),x2:x,y2:y}),update(pull,"stroke-width",(5*Math.max(0,weights[j])).toFixed(2))}let grows=kind=>kind===named&&
weights&&!isArrow(kind),radius=j=>4+13*Math.sqrt(Math.max(0,weights[j]));function drawNames(all){let points=last[named].
map(([x,y],j)=>({x:toX(x),y:toY(y),reach:grows(named)?radius(j):6,prefer:sideOf(j)})),others=KINDS.filter(kind=>kind!==named).
flatMap(kind=>last[kind].map(([x,y])=>boxAt(toX(x),toY(y),8))),room={x:EDGE,y:0,w:size-EDGE,h:size-EDGE};placeLabels(points,
j=>options.labels[j]??"",room,others).forEach(({x,y,anchor},j)=>{let{text,angle}=all[j];if(!text)return;let turn2=angle?
`rotate(${-angle.toFixed(1)}) `:"";update(text,"transform",`${turn2}translate(${(x-points[j].x).toFixed(1)} ${(y-points[j].
y).toFixed(1)})`),update(text,"class",`live-label ${anchor}`)})}function sideOf(j){let[x,y]=last[named][j];if(last.moves_to.
length){let[tx,ty]=last.moves_to[j];return tx===x&&ty===y?void 0:[x-tx,ty-y]}return isArrow(named)&&(x||y)?[x,-y]:void 0}
function summary(){return Object.keys(MARKS).filter(kind=>last[kind].length).map(kind=>`${options.called[kind]} at (${pointsOf(
options[kind],told)[0].map(print).join(", ")})`).join("; ")}function shape(kind){return MARKS[kind]?svg("path",{d:MARKS[kind]}):
isArrow(kind)?svg("path",{d:`M0 0 L${-TIP} -5 L${-TIP} 5 Z`,class:"live-tip"}):svg("circle",{r:6,...kind==="rings"&&{class:"\
live-hollow"}})}function legend(){let entries=KINDS.filter(kind=>options[kind]!==null).map(kind=>{let[width,x]=isArrow(kind)?
[28,20]:[18,9],line=isArrow(kind)?[svg("path",{d:"M0 9H14",class:`live-vector ${classOf(kind)}`})]:[],mark=svg("g",{class:`\
live-mark ${classOf(kind)}`,transform:`translate(${x} 9) scale(.8)`},[shape(kind)]);return html("span",{},[svg("svg",{width,
height:18,"aria-hidden":"true"},[...line,mark]),options.called[kind]])});return html("div",{class:"live-legend"},entries)}
function slots(_,shows){let kind=KINDS.find(each=>options[each]===shows);return pointsOf(shows,told).map((now,j)=>({name:kind!==
"result"&&options.labels[j]||options.called[kind],now,limits:[options.limits,options.limits],area:([x,y])=>({x:toX(x)-16,
y:toY(y)-16,width:32,height:32}),path:([x,y])=>`M${toX(x)} ${toY(y)}m0 -10l10 10l-10 10l-10 -10Z`,read:(x,y)=>[fromPixel(
x-EDGE),fromPixel(size-EDGE-y)]}))}return{element,upright:!0,layout,draw,summary,slots}}var boxAt=(x,y,r)=>({left:x-r,right:x+
r,top:y-r,bottom:y+r});function drawRegion(picture,corners,toX,toY,size){let id=`live-clip-${Math.random().toString(36).
slice(2)}`,bounds=svg("clipPath",{id},[svg("rect",{x:EDGE,y:8,width:size-EDGE-8,height:size-EDGE-8})]),points=corners.map(
([x,y])=>`${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");picture.append(bounds,svg("polygon",{points,class:"live-\
region","clip-path":`url(#${id})`}))}var DASHES={curve:["none","9 4","2 3","10 3 2 3","5 3","14 3"],arc:["none","9 7","1 8","14 7 1 7","4 6","20 6"]},lineStyle=(k,dashes)=>({
style:`stroke: var(--live-line-${k%6}); stroke-dasharray: ${dashes[k%6]}`});function makeLegend(labels,isOn,{line,again}){
let buttons=labels.map((label,k)=>{let sample=svg("svg",{width:34,height:12,"aria-hidden":"true"},[svg("path",{d:"M1 6H3\
3",...line(k)})]),button=makeButton({class:"live-switch","aria-pressed":String(isOn[k])},[sample,label],()=>{isOn[k]=!isOn[k],
button.setAttribute("aria-pressed",String(isOn[k])),again()});return button});return html("div",{class:"live-legend",role:"\
group","aria-label":"lines shown"},buttons)}var RIGHT=12,TOP=10,WIDEST2=760,same=value=>value,power=value=>10**value;function makeCurve(options,tools){let print=printer(
options.digits),{x:xs,lines}=options,[pointsX,pointsY]=options.points,across2=[...xs,...pointsX,...options.at?tools.control(
options.at).values:[]],[left,right]=[Math.min(...across2),Math.max(...across2)],[low,high]=options.limits,element=html("\
div",{class:"live-curve"}),isOn=lines.map(()=>!0),line=k=>({class:"live-line",...lineStyle(k,DASHES.curve)}),names=lines.
map(([,label])=>label),legend=lines.length>1?makeLegend(names,isOn,{line,again:()=>draw(last,moving)}):null,[scaleX,backX]=options.
log.includes("x")?[Math.log10,power]:[same,same],scaleY=options.log.includes("y")?Math.log10:same,horizontal=count=>options.
log.includes("x")?factors(left,right):ticks(left,right,count),vertical=options.log.includes("y")?factors(low,high):ticks(
low,high,5),edge=12+(options.ylabel?18:0)+7*Math.max(...vertical.at.map(y=>vertical.print(y).length)),foot=options.xlabel?
42:24,width,height,dots,paths,stand,level,spot,last,moving,share=(scale,value,from,to)=>(scale(value)-scale(from))/(scale(
to)-scale(from)),toX=x=>edge+share(scaleX,x,left,right)*(width-edge-RIGHT),toY=y=>height-foot-share(scaleY,y,low,high)*(height-
TOP-foot);function layout(room){width=Math.min(room,WIDEST2),height=Math.max(220,Math.min(380,.55*width));let picture=makePicture(
width,height,options,tools,options.at&&`move the ${tools.control(options.at).label}`),box={left:edge,right:width-RIGHT,top:TOP,
bottom:height-foot,below:14,beside:6,grid:()=>"live-grid"};drawAxes(picture,box,[horizontal(width/90),toX],[vertical,toY]),
drawLabels2(picture),dots=pointsX.map((x,j)=>svg("circle",{cx:toX(x),cy:toY(pointsY[j]),r:3,class:"live-dot"})),paths=lines.
map((_,k)=>svg("path",legend?line(k):{class:"live-line"})),stand=svg("line",{y1:TOP,y2:height-foot,class:"live-stand-lin\
e"}),level=svg("line",{x1:edge,class:"live-reading-line"}),spot=svg("path",{d:"M0 -8 L8 0 L0 8 L-8 0 Z",class:"live-mark\
 live-purple"}),picture.append(...dots,...paths),options.at&&picture.append(stand),options.reading&&picture.append(level,
spot),options.at&&makeDraggable(picture,[options.at],x=>[valueAt(x)],tools),element.replaceChildren(picture,...legend?[legend]:
[])}function drawLabels2(picture){let[x,y]=[(edge+width)/2,(height-foot)/2];picture.append(svg("text",{x,y:height-8,class:"\
live-label live-middle"},options.xlabel),svg("text",{x:9,y,class:"live-label live-middle",transform:`rotate(-90 9 ${y})`},
options.ylabel))}let inside=y=>within(low,high,y),valueAt=pixel=>backX(scaleX(left)+(pixel-edge)/(width-edge-RIGHT)*(scaleX(
right)-scaleX(left)));function draw(frame,shown){if([last,moving]=[frame,shown],lines.forEach(([name],k)=>{let steps=xs.
map((x2,i)=>`${toX(x2).toFixed(1)} ${toY(inside(shown[name][i])).toFixed(1)}`);update(paths[k],"d","M"+steps.join(" L")),
update(paths[k],"visibility",isOn[k]?"visible":"hidden")}),options.weights&&drawWeights(shown[options.weights]),!options.
at)return;let x=toX(between(tools.control(options.at).values,shown[`@${options.at}`][0]));if(update(stand,"x1",x),update(
stand,"x2",x),!options.reading)return;let y=toY(inside(shown[options.reading][0]));update(level,"x2",x),update(level,"y1",
y),update(level,"y2",y),update(spot,"transform",`translate(${x.toFixed(1)} ${y.toFixed(1)})`)}function drawWeights(weights){
let most=Math.max(...weights)||1;dots.forEach((dot,j)=>{let part=Math.max(0,weights[j])/most;update(dot,"r",(2.5+5*part).
toFixed(1)),update(dot,"fill-opacity",(.15+.75*part).toFixed(2))})}function summary(){return!options.at||!options.reading?
"":`at ${tools.text(options.at)} the curve reads ${print(last[options.reading][0])}`}return{element,layout,draw,summary}}
function factors(low,high){let found=digits=>{let all=[];for(let k=Math.floor(Math.log10(low));k<=Math.log10(high);k++)all.
push(...digits.map(digit=>digit*10**k));return all.filter(value=>value>=low*.999999999&&value<=high*1.000000001)},tens=found(
[1]);return{at:tens.length>2?tens:found([1,2,5]),print:value=>printer(Math.max(0,-Math.floor(Math.log10(value)+1e-9)))(value)}}var STEPS={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1};function makeWords(group,elements,role,options,tools,point){
let tell=({target})=>{let j=elements.findIndex(each=>each.contains(target));point(j<0?null:j)};for(let event of["pointer\
over","focusin"])group.addEventListener(event,tell);for(let event of["pointerleave","focusout"])group.addEventListener(event,
()=>point(null));if(options.at)return makeChoice(group,elements,options,tools);let cursor=null;return group.setAttribute(
"role",role),group.setAttribute("tabindex","0"),group.setAttribute("aria-label",nameOf(options,tools,"read the words")),
group.addEventListener("focusout",()=>cursor=null),group.addEventListener("keydown",event=>{let next=step(event.key,cursor??
(STEPS[event.key]<0?0:-1),elements.length);next===void 0||next<0||(event.preventDefault(),point(cursor=next))}),()=>{}}function makeChoice(group,elements,{
at,asks},tools){let order=asks.map((word,place2)=>({word,place:place2,element:elements[word]})).sort((one,other)=>one.word-
other.word);group.setAttribute("role","radiogroup"),group.setAttribute("aria-label",tools.control(at).label);for(let{element}of order)
element.setAttribute("role","radio"),element.classList.add("live-asks");let find=({target})=>order.findIndex(({element})=>element.
contains(target));return group.addEventListener("click",event=>{let{place:place2,element}=order[find(event)]??{};element&&
(tools.choose(at,place2),element.focus({preventScroll:!0}))}),group.addEventListener("keydown",event=>{let here=find(event),
next=here<0?void 0:step(event.key,here,order.length);next!==void 0&&(event.preventDefault(),event.ctrlKey||tools.choose(
at,order[next].place),order[next].element.focus())}),function(){let chosen=tools.place(at);for(let{place:place2,element}of order)
element.setAttribute("aria-checked",String(place2===chosen)),element.setAttribute("tabindex",place2===chosen?"0":"-1");return asks[chosen]}}
function step(key,here,count){return key===" "||key==="Enter"?here:key==="Home"?0:key==="End"?count-1:STEPS[key]&&(here+
STEPS[key]+count)%count}var lengthOf=words=>words.join("").length;function makeSentence(options,tools){let words=labelsNow(options.words,options.
by,tools),print=printer(options.digits),[low,high]=options.limits,element=html("div",{class:"live-sentence"}),spans=words().
map(()=>html("span",{class:"live-word"})),apart=spans.flatMap(span=>[span," "]),bar=html("span",{class:"live-scale-bar"}),
scale=html("div",{class:"live-scale","aria-hidden":"true"},[print(low),bar,print(high)]),text=html("div",{class:"live-ru\
nning"},apart),shades,numbers,chosen,told=makeTold(options,tools,{numbers:()=>numbers,partsAt:j=>({word:words()[j],...options.
at&&{asks:words()[chosen]}}),mark:j=>spans.forEach((span,k)=>span.classList.toggle("live-pointed",k===j)),isOwn:j=>j===chosen}),
mark=makeWords(text,spans,"group",options,tools,told.point);function layout(){shades=palette(low<0),bar.style.background=
`linear-gradient(to right, ${[0,64,128,191,255].map(k=>shades[k].fill)})`,element.hasChildNodes()||element.append(text,scale),
options.by&&reserve(options.words.reduce((some,other)=>lengthOf(other)>lengthOf(some)?other:some))}function reserve(longest){
text.style.minHeight="",spans.forEach((span,j)=>(setText(span,longest[j]),update(span,"data-word",longest[j]))),text.style.
minHeight=`${text.offsetHeight}px`}function draw(frame,shown){numbers=frame[options.show],chosen=mark(),spans.forEach((span,j)=>{
let shade=shadeOf(shades,shown[options.show][j],options.limits);setText(span,words()[j]),update(span,"data-word",words()[j]),
update(span,"style",`background: ${shade.fill}; color: ${shade.ink}`),update(span,"aria-description",print(numbers[j]))})}
return{...told,element,isWide:!0,layout,draw}}var SIZES=[16,15,14,13],PAD=.3,GAP=[2,34],HEIGHT3=28,PEAK=[130,64],BULGE=180,NARROW=520,WIDEST3=8;function makeArcs(options,tools){
let{words,at,least}=options,kinds=options.kinds.length?options.kinds:[""],count=words.length,print=printer(options.digits),
[low,high]=options.limits,element=html("div",{class:"live-arcs"}),hasDigits=at!==null&&kinds.length===1,isOn=kinds.map(()=>!0),
box,groups,lines,drawn,digits,mark,numbers,moving,chosen,stands,cursor=null;function layout(width){let focused=groups?.indexOf(
document.activeElement)??-1;setPen(element),box=measure2(words,width,hasDigits?textSize(print(high),11)+8:0);let size={width:box.
width,height:box.height,viewBox:`0 0 ${box.width} ${box.height}`};drawn=svg("g",{"aria-hidden":"true",class:"live-arc-li\
nes"}),lines=new Map,groups=words.map((word,j)=>drawWord(word,box.boxes[j],box.size,box.reach)),digits=words.map((_,j)=>svg(
"text",{...box.digits[j],class:"live-label live-arc-digits","aria-hidden":"true"}));let picture=svg("svg",{...size,class:`\
live-${box.kind}`},[drawn,...groups,...hasDigits?digits:[]]);mark=makeWords(picture,groups,"application",options,tools,point),
element.replaceChildren(picture,...options.kinds.length?[shown()]:[]),focused>=0&&groups[focused].focus()}function shown(){
let line=h=>({...styleOf(h),"stroke-width":4});return makeLegend(options.kinds,isOn,{line,again:()=>(drawLines(),tools.say())})}
let weight=(h,i,j)=>numbers[at?h*count+j:(h*count+i)*count+j],isPointed=()=>cursor!==null&&cursor!==chosen;function draw(frame,shown2){
[numbers,moving]=[frame[options.show],shown2[options.show]],chosen=mark(),stands=at&&shown2[`@${at}`][0],drawLines(),at&&
groups.forEach((group,j)=>update(group,"aria-description",valueOf(chosen,j))),hasDigits&&digits.forEach((text,j)=>setText(
text,weight(0,chosen,j)<least?"":print(weight(0,chosen,j))))}function placeOf2(k){return[Math.floor(k/(at?count:count*count)),
at?chosen:Math.floor(k/count)%count,k%count]}function drawLines(){let used=new Set;moving.forEach((value,k)=>{let[h,i,j]=placeOf2(
k);!isOn[h]||value<least||!at&&isPointed()&&cursor!==i||(used.add(k),lines.has(k)||lines.set(k,drawn.appendChild(svg("pa\
th",styleOf(h)))),update(lines.get(k),"d",box.bend(i,j,h,kinds.length,at?asksAt(i):void 0)),drawLine(lines.get(k),value,
at&&isPointed()&&cursor!==j))}),lines.forEach((line,k)=>update(line,"visibility",used.has(k)?"visible":"hidden"))}function asksAt(i){
let ways=options.asks.map(j=>box.rowOf(j)===box.rowOf(i)?box.middles[j]:box.middles[i]);return between(ways,stands)}function drawLine(line,value,isFaint){
let share=within(0,1,(value-low)/(high-low||1));update(line,"stroke-width",(.8+(WIDEST3-.8)*share).toFixed(2)),update(line,
"stroke-opacity",((.3+.6*Math.sqrt(share))*(isFaint?.25:1)).toFixed(2))}function valueOf(i,j){return options.kinds.length?
kinds.flatMap((kind,h)=>isOn[h]?`${kind} ${print(weight(h,i,j))}`:[]).join(", ")||"–":print(weight(0,i,j))}let read=(i,j)=>sentence(
options.reads,{asks:words[i],word:words[j],value:valueOf(i,j)});function point(j){cursor!==j&&(cursor=j,groups.forEach((group,k)=>group.
classList.toggle("live-pointed",k===j)),drawLines(),tools.say())}function pointed(){if(!isPointed())return"";if(at)return read(
chosen,cursor);let sums=words.map((_,j)=>kinds.reduce((sum,_kind,h)=>sum+(isOn[h]?weight(h,cursor,j):0),0));return read(
cursor,sums.indexOf(Math.max(...sums)))}function partsAt(k){let[h,i,j]=placeOf2(k);return{asks:words[i],word:words[j],...options.
kinds.length&&{kind:kinds[h]}}}return{element,isWide:!0,layout,draw,pointed,summary:()=>pointed()||sayLargest(numbers,k=>read(
...placeOf2(k).slice(1))),largest:()=>partsOfLargest(numbers,partsAt)}}var styleOf=h=>({class:"live-arc",...lineStyle(h,
DASHES.arc)}),pen,family;function setPen(element){pen??=document.createElement("canvas").getContext("2d"),family=element.
isConnected?getComputedStyle(element).fontFamily:"system-ui, sans-serif"}function textSize(text,size){return pen.font=`6\
00 ${size}px ${family}`,Math.ceil(pen.measureText(text).width)}function measure2(words,width,digitsRoom){for(let size of SIZES){
let widths=boxWidths(words,size),free=width-widths.reduce((sum,each)=>sum+each,0),gap=Math.min(GAP[1],free/Math.max(1,words.
length-1));if(gap>=GAP[0])return measureRows([widths],gap,size,digitsRoom)}return width<NARROW?measureList(words,width,digitsRoom):
measureRows(wrap(boxWidths(words,SIZES[1]),width,8),8,SIZES[1],digitsRoom)}var boxWidths=(words,size)=>words.map(word=>Math.
max(24,textSize(word,size)+2*PAD*size));function wrap(widths,width,gap){let fill2=limit2=>breakLines(widths,each=>each,limit2,
gap),few=fill2(width).length,limit=width;for(;limit>8&&fill2(limit-8).length===few;)limit-=8;return fill2(limit)}function measureRows(rows,gap,size,digitsRoom){
let starts=rows.map(row=>row.map((_,j)=>row.slice(0,j).reduce((sum,each)=>sum+each+gap,0))),end=Math.max(...rows.map((row,r)=>starts[r].
at(-1)+row.at(-1))),peak=Math.max(34,Math.min(PEAK[rows.length>1?1:0],.3*end+10)),under=digitsRoom?17:2,step2=peak+14+HEIGHT3+
under,foot=r=>r*step2+peak+12,boxes=rows.flatMap((row,r)=>row.map((each,j)=>({x:starts[r][j],y:foot(r),width:each,height:HEIGHT3}))),
reach=gap/2,middles=boxes.map(box=>box.x+box.width/2),out=length=>18+(peak-18)*Math.min(1,length/(end-24||1)),bends=rows.
map((_,r)=>bender(middles,out,(x,away)=>`${x.toFixed(1)} ${(foot(r)-2-away).toFixed(1)}`)),rowOf=j=>rows.findIndex((_,r)=>boxes[j].
y===foot(r));return{kind:"row",size,width:Math.ceil(end),height:Math.ceil(rows.length*step2-2),boxes,reach,digits:boxes.
map(({y},j)=>({x:middles[j],y:y+HEIGHT3+9,"text-anchor":"middle"})),middles,rowOf,bend(i,j,h,kinds,from){return rowOf(i)===
rowOf(j)?bends[rowOf(i)](i,j,h,kinds,from):across(boxes[i],boxes[j],sideways(h,kinds),under)}}}function across(from,to,shift,under){
let[high,low]=to.y<from.y?[to,from]:[from,to],ends=[high,low].map(box=>(box.x+box.width/2+shift).toFixed(1)),[top,bottom]=[
high.y+HEIGHT3+under,low.y-2],half=(bottom-top)/2;return`M${ends[0]} ${top}C${ends[0]} ${top+half} ${ends[1]} ${bottom-half}\
 ${ends[1]} ${bottom}`}function measureList(words,width,digitsRoom){let size=SIZES[1],column=Math.min(Math.max(...boxWidths(
words,size)),width-digitsRoom-70),left=column+digitsRoom+4,bulge=Math.min(BULGE,width-left-12),middles=words.map((_,j)=>(j+
.5)*(HEIGHT3+2)),span=middles.at(-1)-middles[0],out=length=>16+(bulge-16)*Math.sqrt(length/(span||1));return{kind:"list",
size,width:Math.ceil(left+bulge+12),height:words.length*(HEIGHT3+2),boxes:middles.map(y=>({x:0,y:y-HEIGHT3/2,width:column,
height:HEIGHT3})),reach:1,middles,rowOf:()=>0,digits:middles.map(y=>({x:left-6,y,"text-anchor":"end"})),bend:bender(middles,
out,(along2,away)=>`${(left+away).toFixed(1)} ${along2.toFixed(1)}`)}}var sideways=(h,kinds)=>4*(h-(kinds-1)/2);function bender(middles,out,place2){
return(i,j,h,kinds,begin=middles[i])=>{let from=(i===j?middles[i]:begin)+sideways(h,kinds);if(i===j)return`M${place2(from-
5,0)}C${place2(from-15,22)} ${place2(from+15,22)} ${place2(from+5,0)}`;let to=middles[j]+sideways(h,kinds),away=4/3*out(
Math.abs(middles[j]-begin))*(1-Math.min(.5,.14*h));return`M${place2(from,0)}C${place2(from,away)} ${place2(to,away)} ${place2(
to,0)}`}}function drawWord(word,box,size,reach){let middle={x:box.x+box.width/2,y:box.y+box.height/2},text=svg("text",{...middle,
class:"live-label live-middle",style:`font-size: ${size}px`},word),{x,y,width,height}=box,met={d:`M${x-reach} ${y-reach}\
h${width+2*reach}v${height+2*reach}H${x-reach}z`,fill:"transparent"};return svg("g",{class:"live-arc-word","aria-label":word},
[svg("path",met),svg("rect",{...box,rx:4}),text])}var BANDS=10,GAP2=18,AXIS=30,WIDEST4=420,MOST=3;function makeField(options,tools){let print=printer(options.digits),[low,
high]=options.limits,titles=options.titles.length?options.titles:[""],{x:xs,y:ys,labels}=options,element=html("div",{class:"\
live-field"}),ends=[xs[0],xs.at(-1),ys[0],ys.at(-1)],grid2,ratio,canvas,panels,shown,last;function layout(width){grid2=measure3(
width,titles.length,options,ends),ratio=Math.min(2,window.devicePixelRatio||1);let pixels={width:Math.round(grid2.width*
ratio),height:Math.round(grid2.height*ratio)};canvas=html("canvas",{...pixels,"aria-hidden":"true"});let picture=makePicture(
grid2.width,grid2.height,options,tools,options.at&&`move the ${options.called.handle}`);panels=titles.map((title,k)=>drawPanel(
picture,title,grid2.boxes[k])),options.at&&makeDraggable(picture,options.at,valuesAt,tools);let stack2=html("div",{class:"\
live-field-maps",style:`width: ${grid2.width}px`},[canvas,picture]);element.replaceChildren(stack2,drawScale(Math.min(grid2.
width,420))),shown=null}function drawPanel(picture,title,box){let toX=x=>box.x+(x-ends[0])/(ends[1]-ends[0])*box.w,toY=y=>box.
y+box.h-(y-ends[2])/(ends[3]-ends[2])*box.h,value=svg("text",{x:box.x+box.w,y:box.y-9,class:"live-label live-end live-st\
rong"});picture.append(svg("text",{x:box.x,y:box.y-9,class:"live-label"},title),value),picture.append(svg("rect",{x:box.
x,y:box.y,width:box.w,height:box.h,class:"live-frame"})),drawSides(picture,box,toX,toY);let dots=picture.appendChild(svg(
"g")),handle=svg("path",{d:"M0 -9 L8 6 L-8 6 Z",class:"live-mark live-handle live-blue live-halo"});return options.at&&picture.
append(handle),{box,toX,toY,value,dots,handle}}function drawSides(picture,{x,y,w,h,first,bottom},toX,toY){let none={at:[],
print},across2=bottom?ticks(ends[0],ends[1],w/44):none,up=first?ticks(ends[2],ends[3],h/44):none;drawAxes(picture,{left:x,
right:x+w,top:y,bottom:y+h,below:11,beside:5},[across2,toX],[up,toY]);let add=(attributes,text)=>picture.append(svg("tex\
t",{...attributes,class:"live-label live-middle"},text));bottom&&options.xlabel&&add({x:x+w/2,y:y+h+27},options.xlabel),
first&&options.ylabel&&add({x:8,y:y+h/2,transform:`rotate(-90 8 ${y+h/2})`},options.ylabel)}function draw(frame,moving){
last=frame;let numbers=moving[options.show],points=pointsOf(options.points,moving);(!shown||numbers.some((value,k)=>value!==
shown[k]))&&paint(numbers),shown=numbers,panels.forEach((panel2,k)=>{if(drawPoints(panel2,points),!options.at)return;let[
x,y]=options.at.map(name=>between(tools.control(name).values,moving[`@${name}`][0]));update(panel2.handle,"transform",`t\
ranslate(${panel2.toX(x).toFixed(1)} ${panel2.toY(y).toFixed(1)})`),setText(panel2.value,print(under(k)))})}function under(k){
let[x,y]=options.at.map(tools.value),nearest=(list,value)=>{let at=Math.round((value-list[0])/(list.at(-1)-list[0])*(list.
length-1));return within(0,list.length-1,at)};return last[options.show][(k*ys.length+nearest(ys,y))*xs.length+nearest(xs,
x)]}function drawPoints({dots,box,toX,toY},points){let at=points.map(([x,y])=>({x:toX(x),y:toY(y),reach:6})),places=placeLabels(
at,j=>labels[j]??"",box);at.forEach(({x,y},j)=>{dots.childNodes[2*j]||dots.append(svg("circle",{r:5,class:"live-field-po\
int"}),svg("text",{},labels[j]??""));let[dot,text]=[dots.childNodes[2*j],dots.childNodes[2*j+1]];place(dot,{cx:x,cy:y}),
place(text,{x:places[j].x,y:places[j].y}),update(text,"class",`live-label live-halo-text ${places[j].anchor}`)})}function paint(numbers){
let[p,q]=[ys.length,xs.length],shares=Float64Array.from(numbers,value=>(value-low)/(high-low)*BANDS),colours=Uint32Array.
from(bands(low<0),({rgb:[r,g,b]})=>255<<24|b<<16|g<<8|r),context=canvas.getContext("2d");grid2.boxes.forEach((box,k)=>{let image=new ImageData(
Math.round(box.w*ratio),Math.round(box.h*ratio));colourMap(image,shares.subarray(k*p*q,(k+1)*p*q),[p,q],colours),context.
putImageData(image,Math.round(box.x*ratio),Math.round(box.y*ratio))})}function drawScale(width){let span=width-AXIS-24,picture=svg(
"svg",{width,height:30,"aria-hidden":"true"});bands(low<0).forEach(({fill:fill2},k)=>{picture.append(svg("rect",{x:AXIS+
k*span/BANDS,y:2,width:span/BANDS+.3,height:10,fill:fill2}))}),picture.append(svg("rect",{x:AXIS,y:2,width:span,height:10,
class:"live-frame"}));for(let k of[0,2,4,6,8,10]){let x=AXIS+k*span/BANDS;picture.append(svg("text",{x,y:22,class:"live-\
label live-middle"},scaleText(low+k*(high-low)/BANDS)))}return picture}let scaleText=printer(Math.max(0,Math.min(options.
digits,2-Math.floor(Math.log10(high-low))))),held=0;function valuesAt(x,y,event){event.type==="pointerdown"&&(held=nearestBox(
grid2.boxes,x,y));let box=grid2.boxes[held],up=(box.y+box.h-y)/box.h;return[ends[0]+(x-box.x)/box.w*(ends[1]-ends[0]),ends[2]+
up*(ends[3]-ends[2])]}function summary(){if(!options.at)return"";let[x,y]=options.at.map(tools.text);return options.reads?
titles.map((title,k)=>sentence(options.reads,{x,y,title,value:print(under(k))})).join("; "):`at (${x}, ${y}): `+titles.map(
(title,k)=>`${title} ${print(under(k))}`.trim()).join("; ")}return{element,isWide:titles.length>1,layout,draw,summary}}function measure3(width,count,{
xlabel,ylabel,titles},[left,right,low,high]){let edge=AXIS+(ylabel?14:0),most=Math.max(1,Math.min(MOST,count,Math.floor(
(width-edge)/140))),w=Math.min(WIDEST4,Math.floor((width-edge-6-GAP2*(most-1))/most)),h=Math.round(w*Math.max(.5,Math.min(
1.2,(high-low)/(right-left)))),head=titles.length?22:20,foot=20+(xlabel?16:0),rows=Math.ceil(count/most);return{boxes:Array.
from({length:count},(_,k)=>({x:edge+k%most*(w+GAP2),y:head+Math.floor(k/most)*(h+head+8),w,h,first:k%most===0,bottom:k+most>=
count})),width:edge+most*(w+GAP2)-GAP2+6,height:rows*(h+head+8)-8+foot}}function bands(diverging){let shades=palette(diverging);
return Array.from({length:BANDS},(_,k)=>shades[Math.round(255*k/(BANDS-1))])}function colourMap({data,width,height},numbers,[
p,q],colours){let pixels=new Uint32Array(data.buffer),along2=Float64Array.from({length:width},(_,j)=>(j+.5)/width*(q-1)),
line=new Float64Array(q);for(let i=0;i<height;i++){let v=(height-.5-i)/height*(p-1),r=Math.floor(v);for(let c=0;c<q;c++)
line[c]=numbers[r*q+c]+(v-r)*(numbers[(r+1)*q+c]-numbers[r*q+c]);for(let j=0;j<width;j++){let c=along2[j]|0,band=line[c]+
(along2[j]-c)*(line[c+1]-line[c])|0;pixels[i*width+j]=colours[band<0?0:band<BANDS?band:BANDS-1]}}}function nearestBox(boxes,x,y){
let away=boxes.map(box=>Math.hypot(outside(x,box.x,box.x+box.w),outside(y,box.y,box.y+box.h)));return away.indexOf(Math.
min(...away))}var outside=(value,low,high)=>Math.max(low-value,0,value-high);var HEAD=32,GAP3=36,BESIDE=22,LANE=12,LARGEST=40,SMALLEST=6;function arrange(stages,rows,width,characters){let labels=Math.
min(.3*width,Math.max(...rows.map(text=>textWidth(text,13))))+8,least=characters?Math.max(SMALLEST,6.3*characters+3):SMALLEST,
levels=byDepth(stages),find=(make,smallest)=>{for(let cw=Math.max(LARGEST,least);cw>=smallest;cw-=.5){let plan=make(stages,
levels,labels,cells(cw,characters),width);if(plan.width<=width)return plan}};return find(toTheRight,least)??find(downwards,
SMALLEST)??downwards(stages,levels,labels,cells(SMALLEST,characters),width)}function cells(cw,characters){let font=characters?
Math.min(11,Math.floor(2*(cw-2)/(.56*characters))/2):0;return{cw,ch:font?20:Math.max(12,Math.min(26,Math.round(cw))),font:font>=
7?font:0}}function byDepth(stages){let levels=[];return stages.forEach(({depth},k)=>(levels[depth]??=[]).push(k)),levels}
var widthOf=(stage,cw)=>Math.max(stage.size[1]*cw,textWidth(stage.name)+6,textWidth(stage.size.join(" × ")));function boxOf(stage,x,y,size,line,labels){
return{x,y,w:widthOf(stage,size.cw),h:stage.size[0]*size.ch,m:stage.size[1],line,labels}}function toTheRight(stages,levels,labels,size){
let boxes=[],x=labels;levels.forEach((level,line)=>{let centres=stack(level,stages,boxes,size);level.forEach((k,i)=>boxes[k]=
boxOf(stages[k],x,centres[i]-stages[k].size[0]*size.ch/2,size,line,line===0)),x+=Math.max(...level.map(k=>widthOf(stages[k],
size.cw)))+GAP3});let top=Math.min(...boxes.map(box=>box.y))-HEAD;boxes.forEach(box=>box.y-=top);let height=Math.max(...boxes.
map(box=>box.y+box.h))+4,plan={...size,boxes,across:!0,width:x-GAP3+4};return{...plan,height:height+roomForLanes(stages,
plan)}}function stack(level,stages,boxes,size){let middle=k=>boxes[k].y+boxes[k].h/2,wanted=level.map(k=>mean(stages[k].
after.map(([source])=>middle(source)))),placed=[];level.forEach((k,i)=>{let before=i?placed[i-1]+stages[level[i-1]].size[0]*
size.ch/2+BESIDE+HEAD:-1/0;placed.push(Math.max(wanted[i],before+(i?stages[k].size[0]*size.ch/2:0)))});let shift=mean(wanted)-
mean(placed);return placed.map(y=>y+shift)}var mean=list=>list.length?list.reduce((sum,value)=>sum+value,0)/list.length:
0;function downwards(stages,levels,labels,size,width){let room=width-labels-2*LANE,lines=levels.flatMap(level=>breakLines(
level,k=>widthOf(stages[k],size.cw),room,BESIDE)),boxes=[],y=0;lines.forEach((line,place2)=>{let used=line.reduce((sum,k)=>sum+
widthOf(stages[k],size.cw)+BESIDE,-BESIDE),x=labels+Math.max(0,(room-used)/2);y+=HEAD,line.forEach((k,i)=>{boxes[k]=boxOf(
stages[k],x,y,size,place2,i===0),x+=boxes[k].w+BESIDE}),y+=Math.max(...line.map(k=>boxes[k].h))+GAP3});let right=Math.max(
...boxes.map(box=>box.x+box.w)),plan={...size,boxes,across:!1,height:y-GAP3+4};return{...plan,width:right+4+roomForLanes(
stages,plan)}}function along({x,y,w,h,m,labels,line},{across:across2,cw}){let middle=across2?y+h/2:x+m*cw/2;return across2?
{begin:x,end:x+m*cw,middle,low:y-HEAD,high:y+h,line}:{begin:y-HEAD,end:y+h,middle,low:x-(labels?60:0),high:x+w,line}}function isBlocked(from,to,boxes){
return boxes.some(box=>box.line>from.line&&box.line<to.line&&from.middle>box.low-4&&from.middle<box.high+4)}function lanes(stages,seen){
let taken=[],found=new Map;return stages.forEach(({after},to)=>after.forEach(([from])=>{if(!isBlocked(seen[from],seen[to],
seen))return;let span=[seen[from].end,seen[to].begin],lane=taken.findIndex(spans=>spans.every(([begin,end])=>span[1]<=begin||
span[0]>=end));lane<0&&(lane=taken.push([])-1),taken[lane].push(span),found.set(`${from} ${to}`,lane)})),found}function roomForLanes(stages,plan){
let seen=plan.boxes.map(box=>along(box,plan));return LANE*(1+Math.max(-1,...lanes(stages,seen).values()))}function routes(stages,plan){
let seen=plan.boxes.map(box=>along(box,plan)),outer=Math.max(...seen.map(({high})=>high))+10,taken=lanes(stages,seen);return stages.
flatMap(({after},to)=>after.map(([from],i)=>{let[a,b]=[seen[from],seen[to]],end=b.middle+9*(i-(after.length-1)/2),turn2=b.
begin-16,lane=taken.get(`${from} ${to}`),side=lane===void 0?null:outer+LANE*lane,detour=side===null?[[turn2,a.middle]]:[
[a.end+9,a.middle],[a.end+9,side],[turn2,side]],corners=[[a.end+2,a.middle],...detour,[turn2,end],[b.begin-7,end]],point=([
u,v])=>plan.across?[u,v]:[v,u],[x,y]=point([b.begin-2,end]),head=plan.across?`M${x} ${y}l-8 -4v8z`:`M${x} ${y}l-4 -8h8z`;
return{to,points:corners.map(point),head,colour:stages[from].colour}}))}var NEXT={ArrowRight:1,ArrowLeft:-1},DOWN={ArrowDown:1,ArrowUp:-1};function makeFlow(options,tools){let{rows,stages}=options,
print=printer(options.digits),element=html("div",{class:"live-flow"}),help="to the side go from stage to stage, up and d\
own from row to row",{bar,status,numbers}=makeButtons(go,()=>(layout(room),draw(last,moving))),step2=null,own=0,cursor=null,
room,plan,parts,arrows,last,moving,row=()=>options.at?tools.value(options.at):own,rowsOf=k=>stages[k].rows??rows,columnOf=(k,j)=>stages[k].
columns?.[j]??String(j+1);function layout(width){room=width,plan=arrange(stages,rows,width,numbers.getAttribute("aria-pr\
essed")==="true"&&widestNumber());let shades=stages.map(stage=>shadesOf(stage,element)),picture=makePicture(plan.width,plan.
height,options,tools,help);arrows=routes(stages,plan).map(route=>drawArrow(picture,route)),parts=stages.map((stage,k)=>({
...drawStage(picture,stage,plan.boxes[k]),shades:shades[k]})),listen(picture),element.replaceChildren(picture,bar)}let widestNumber=()=>Math.
max(...stages.flatMap(({limits})=>limits.map(limit=>print(limit).length)));function drawStage(picture,stage,box){let at={
x:box.x-6,class:"live-label live-end"},labels=(box.labels?stage.rows??rows:[]).map((name,i)=>svg("text",{...at,y:box.y+(i+
.5)*plan.ch},name)),group=svg("g",{class:`live-stage live-${stage.colour||"ink"}`},[svg("text",{x:box.x,y:box.y-22,class:"\
live-label live-strong live-stage-name"},stage.name),svg("text",{x:box.x,y:box.y-8,class:"live-label live-quiet"},stage.
size.join(" × ")),...labels]),paint=makeCells(group,stage.size,{...plan,x:box.x,y:box.y,gap:plan.cw>8?1:.5},print),lit=svg(
"rect",{class:"live-lit"});return group.append(svg("rect",{...around2(box),class:"live-frame"}),lit),picture.append(group),
{group,paint,lit,labels}}let around2=box=>({x:box.x-1,y:box.y-1,width:box.m*plan.cw+1,height:box.h+1});function draw(frame,shown){
[last,moving]=[frame,shown],parts.forEach(({paint,shades},k)=>paint(frame[stages[k].name],shown[stages[k].name],shades,stages[k].
limits)),light()}function light(){let enters=new Map(step2===null?[]:stages[step2].after);parts.forEach(({group,lit,labels},k)=>{
let part=k===step2||step2===null?"row":enters.get(k);group.classList.toggle("live-dim",!part),group.classList.toggle("li\
ve-now",k===step2),labels.forEach((label,i)=>label.classList.toggle("live-strong",i===row())),outline(lit,part,plan.boxes[k],
k)}),arrows.forEach(({group,to})=>{group.classList.toggle("live-dim",step2!==null&&to!==step2),group.classList.toggle("l\
ive-now",to===step2)}),setText(status,step2===null?"All stages":`Stage ${step2+1} of ${stages.length}: ${stages[step2].name}`)}
function outline(lit,part,box,k){let whole=part==="all"||part==="row"&&stages[k].rows,at=around2(box);part==="row"&&!whole&&
Object.assign(at,{y:box.y+row()*plan.ch-1,height:plan.ch+1}),part==="column"&&Object.assign(at,{x:box.x+row()*plan.cw-1,
width:plan.cw+1}),place(lit,at),update(lit,"visibility",part?"visible":"hidden")}function go(steps){let places=stages.length+
1,next=((step2===null?stages.length:step2)+steps+places)%places;step2=next===stages.length?null:next,light(),tools.say()}
function choose(i){let next=within(0,rows.length-1,i);if(options.at)return tools.set(options.at,next);own=next,light(),tools.
say()}function below(event,picture){let at=placeIn(picture,event),cells2=stages.map(({size},k2)=>cellAt(at,{...plan,x:plan.
boxes[k2].x,y:plan.boxes[k2].y},size)),k=cells2.findIndex(cell=>cell!==null);return k<0?null:{k,i:Math.floor(cells2[k]/stages[k].
size[1]),j:cells2[k]%stages[k].size[1]}}function listen(picture){let point=found=>{JSON.stringify(found)!==JSON.stringify(
cursor)&&(cursor=found,tools.say())};picture.addEventListener("pointermove",event=>point(below(event,picture))),picture.
addEventListener("pointerleave",()=>point(null)),picture.addEventListener("click",event=>{let found=below(event,picture);
found&&(step2=found.k,stages[found.k].rows||choose(found.i),light(),tools.say())}),picture.addEventListener("keydown",event=>{
!NEXT[event.key]&&!DOWN[event.key]||(event.preventDefault(),cursor=null,NEXT[event.key]?go(NEXT[event.key]):choose(row()+
DOWN[event.key]))})}function summary(){if(cursor){let{k,i,j}=cursor,value=print(last[stages[k].name][i*stages[k].size[1]+
j]);return sentence(options.reads,{stage:stages[k].name,row:rowsOf(k)[i],column:columnOf(k,j),value})}return step2===null?
"":sentence(stages[step2].says||"{row}: {values}",{row:rows[row()],values:valuesOf(step2)})}function valuesOf(k){let count=stages[k].
size[1],first=stages[k].rows?0:row()*count;return Array.from(last[stages[k].name].slice(first,first+count),print).join("\
, ")}let isMoved=()=>step2!==null||own!==0;function reset(){[step2,own,cursor]=[null,0,null],light(),tools.say()}return{
element,isWide:!0,layout,draw,summary,pointed:()=>cursor||step2!==null?summary():"",isMoved,reset}}function makeButtons(go,again){
let look={class:"live-step"},status=html("span",{class:"live-flow-status"}),numbers=makeButton({...look,"aria-pressed":"\
false"},"Numbers",()=>{numbers.setAttribute("aria-pressed",String(numbers.getAttribute("aria-pressed")!=="true")),again()}),
ways=[makeButton(look,"← Back",()=>go(-1)),makeButton(look,"Next →",()=>go(1))];return{bar:html("div",{class:"live-f\
low-bar"},[...ways,status,numbers]),status,numbers}}function drawArrow(picture,{to,points,head,colour}){let line="M"+points.
map(point=>point.map(u=>u.toFixed(1)).join(" ")).join("L"),parts=[svg("path",{d:line,class:"live-arrow-line"}),svg("path",
{d:head,class:"live-arrow-head"})];return{group:picture.appendChild(svg("g",{class:`live-arrow live-${colour||"ink"}`},parts)),
to}}function shadesOf({colour:own,limits},element){if(!own)return palette(limits[0]<0);let colour=name=>getComputedStyle(
element).getPropertyValue(name).trim();return blend(colour(`--live-${own}`),limits[0]<0&&colour("--live-muted"))}var modules=new Map;async function makeCustom(options,tools){let box=html("div",{class:"live-custom"}),fail=error=>{let sentence2=`\
The view ${options.file} failed: ${error?.message??error}`;box.textContent!==sentence2&&console.error(sentence2),box.replaceChildren(
html("p",{class:"live-custom-fault",role:"alert"},sentence2))},view,last;try{view=await start(options,tools)}catch(error){
return{element:box,layout:()=>fail(error),draw:()=>{},summary:()=>""}}let safely=step2=>{try{return step2()}catch(error){
fail(error)}},put=()=>box.contains(view.element)||box.replaceChildren(view.element);return{element:box,isWide:!!view.isWide,
layout:width=>(put(),safely(()=>view.layout?.(width))),draw(frame,shown){frame===last&&view.draw.length<2||(put(),safely(
()=>view.draw(last=frame,shown)))},summary:()=>safely(()=>view.summary?.())??"",...view.pointed&&{pointed:()=>safely(()=>view.
pointed())??""}}}async function start(options,tools){let view=await(await load(options.script)).default(options,{...tools,
html,svg,print:printer(options.digits)});if(!(view?.element instanceof Element)||typeof view.draw!="function")throw new Error(
"it should return { element, draw(frame) }");return!view.element.hasAttribute("role")&&!view.element.hasAttribute("aria-\
label")&&(view.element.setAttribute("role","img"),view.element.setAttribute("aria-label",options.title||tools.name)),view}
function load(text){if(!modules.has(text)){let address=URL.createObjectURL(new Blob([text],{type:"text/javascript"}));modules.
set(text,import(address).finally(()=>URL.revokeObjectURL(address)))}return modules.get(text)}var MAKERS={heatmap:makeHeatmap,bars:makeBars,plane:makePlane,curve:makeCurve,sentence:makeSentence,arcs:makeArcs,text:makeText,
field:makeField,flow:makeFlow,"custom view":makeCustom},NARROWEST=240,COLUMN=290,GUTTER=24,TALLEST=[430,310],SHARED=70;async function render({
model,el}){let spec=model.get("spec"),readFrame=frameReader(spec.arrays,model.get("frames")),models=await controlModels(
model),places=()=>models.map((control,k)=>settle(spec.controls[k],control)),showReset=()=>reset.hidden=!views.some(view=>view.
isMoved?.())&&places().every((place2,k)=>place2===spec.controls[k].start),tools=toolsFor(spec,models,()=>(readout2.say(),
showReset())),views=await Promise.all(spec.views.map(options=>MAKERS[options.kind](options,tools))),player=playerFor(spec,
models,()=>readout2.say()),readout2=makeReadout(spec,views,tools,()=>player?.isPlaying()),table=makeTables(spec,tools),reset=html(
"button",{type:"button",class:"live-button",hidden:""},"Back to start");reset.addEventListener("click",()=>{views.forEach(
view=>view.reset?.()),models.forEach((control,k)=>moveTo(spec.controls[k],control,spec.controls[k].start)),reset===document.
activeElement&&table.button.focus()});let bar=html("div",{class:"live-bar-of-buttons"});bar.append(table.button,reset);let stage=html(
"div",{class:"live-views"});spec.views.forEach((options,k)=>stage.append(panel(options,views[k]))),el.classList.add("liv\
e-drawing"),el.setAttribute("role","group"),el.setAttribute("aria-label",spec.name),el.append(...player?[player.button]:
[],stage,readout2.element,bar,table.place);let isShown=!0,pending=null,glide=makeGlide((frame,shown)=>views.forEach(view=>view.
draw(frame,shown))),paint=()=>{if(pending=null,!views[0].element.hasChildNodes())return;let at=places(),frame={...readFrame(
at),...standing(spec.controls,at)};glide.to(frame,"places"in el.dataset),readout2.say(frame),table.fill(frame),showReset(),
el.dataset.places=at.join(" "),el.dispatchEvent(new CustomEvent("live:painted",{bubbles:!0,detail:{spec,views,tools}}))},
request=()=>pending??=Promise.resolve().then(()=>isShown&&paint()),stops=models.map((control,k)=>follow(control,spec.controls[k],
request)),above=models.filter(({views:views2},k)=>views2&&!spec.held.includes(spec.controls[k].name));return stops.push(
nameControls(el,above),watchWidth(stage,views,paint),watchTheme(stage,views,paint)),stops.push(readout2.stop,glide.stop,
...player?[player.stop]:[]),stops.push(showScroll(table.place,`Numbers of the figure: ${spec.name}`)),()=>{isShown=!1,stops.
forEach(stop=>stop())}}function controlModels(model){let find=reference=>model.widget_manager.get_model(reference.replace(
"IPY_MODEL_",""));return Promise.all(model.get("controls").map(find))}var standing=(controls,places)=>Object.fromEntries(
controls.map(({name},k)=>[`@${name}`,Float64Array.of(places[k])]));function toolsFor(spec,models,say){let index=name=>spec.
controls.findIndex(control2=>control2.name===name),control=name=>spec.controls[index(name)],place2=name=>placeOf(control(
name),models[index(name)]),choose=(name,at)=>moveTo(control(name),models[index(name)],at);return{name:spec.name,say,control,
place:place2,choose,value:name=>control(name).values[place2(name)],text:name=>control(name).texts[place2(name)],set:(name,value)=>choose(
name,nearestPlace(control(name),value)),nudge:(name,steps)=>choose(name,place2(name)+steps)}}function playerFor(spec,models,ended){
let k=spec.controls.findIndex(control=>control.name===spec.play);return k<0?null:makePlayer(spec.controls[k],models[k],ended)}
function panel(options,view){let box=html("div",{class:`live-view live-view-${options.kind.replace(" ","-")}`});return options.
title&&box.append(html("p",{class:"live-title"},options.title)),box.append(view.element),box}function follow(model,control,request){
let event=control.kind==="index"?"change:index":"change:value";return model.on(event,request),()=>model.off(event,request)}
function nameControls(el,models){let isBeside=view=>view.el.closest(".live-figure")?.contains(el),name=async()=>{let views=await Promise.
all(models.flatMap(model=>Object.values(model.views??{})));views.forEach(makeAccessible),models.every(model=>views.some(
view=>view.model===model&&isBeside(view)))&&watcher.disconnect()},watcher=new MutationObserver(name);return watcher.observe(
document.body,{childList:!0,subtree:!0}),name(),()=>watcher.disconnect()}function watchWidth(stage,views,paint){let known=0,
lay=()=>{let room=Math.max(NARROWEST,Math.floor(stage.clientWidth));!stage.clientWidth||room===known||(known=room,layAll(
stage,views),paint())},stop=watchSize(stage,lay);return lay(),document.fonts?.status==="loading"&&document.fonts.ready.then(
()=>(known=0,lay())),stop}function layAll(stage,views){let room=Math.max(NARROWEST,Math.floor(stage.clientWidth)),columns=countColumns(
views,room),width=Math.floor((room-(columns-1)*GUTTER)/columns),upright=view=>columns===2&&views.length===3&&view.upright,
alone=views.some(upright)?views.map(()=>!1):findAlone(views,columns);stage.style.setProperty("--live-columns",String(columns));
let widths=alone.map(isAlone=>isAlone?room:width),labels=views.map((view,k)=>view.labelRoom?.(widths[k])??0);views.forEach(
(view,k)=>{view.element.parentElement.classList.toggle("live-tall",!!upright(view)),view.element.parentElement.classList.
toggle("live-alone",alone[k]&&(columns>1||views.length===1));let beside=labels.filter((wide,i)=>alone[i]===alone[k]&&wide-
labels[k]<=SHARED);view.layout(widths[k],Math.max(...beside),TALLEST[views.length>1?1:0]),hideInside(view.element)})}function countColumns(views,room){
let need=Math.max(...views.map(view=>view.isWide?0:view.narrowest??COLUMN))+GUTTER;return views.filter(view=>!view.isWide).
length===3&&room>=3*need?3:room>=2*COLUMN&&views.length>1?2:1}function findAlone(views,columns){let alone=views.map(view=>columns===
1||!!view.isWide),begin=0;for(let k=0;k<=views.length;k++)k<views.length&&!alone[k]||((k-begin)%columns===1&&(alone[k-1]=
!0),begin=k+1);return alone}function watchTheme(stage,views,paint){let watcher=new MutationObserver(()=>stage.clientWidth&&
(layAll(stage,views),paint())),attributes={attributes:!0,attributeFilter:["data-theme","data-jp-theme-light"]};return watcher.
observe(document.documentElement,attributes),watcher.observe(document.body,attributes),()=>watcher.disconnect()}var figure_default={
render};export{figure_default as default};
