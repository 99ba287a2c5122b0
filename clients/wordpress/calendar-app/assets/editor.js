// The blocks in the editor: fields at the side, and what readers will see.
( function ( { blocks, element, components, blockEditor, serverSideRender, i18n } ) {
	const { createElement: el, Fragment } = element;
	const { __ } = i18n;
	const ServerSideRender = serverSideRender;

	// The fields of each block: attribute, label, and the words to choose from, if there are some.
	const LAYOUTS = [ { label: __( 'List', 'calendar-app' ), value: 'list' }, { label: __( 'Cards', 'calendar-app' ), value: 'cards' } ];
	const FIELDS = {
		'calendar-app/events': [
			[ 'limit', __( 'Number of events', 'calendar-app' ) ],
			[ 'layout', __( 'Layout', 'calendar-app' ), LAYOUTS ],
			[ 'categories', __( 'Categories (slugs, with commas)', 'calendar-app' ) ],
			[ 'tags', __( 'Tags (slugs, with commas)', 'calendar-app' ) ],
			[ 'venue', __( 'Venue (id)', 'calendar-app' ) ],
			[ 'organizer', __( 'Organizer (id)', 'calendar-app' ) ],
			[ 'search', __( 'Words', 'calendar-app' ) ],
		],
		'calendar-app/event': [
			[ 'id', __( 'Number of the event', 'calendar-app' ) ],
			[ 'slug', __( 'or its slug', 'calendar-app' ) ],
		],
	};

	Object.entries( FIELDS ).forEach( ( [ name, fields ] ) => {
		blocks.registerBlockType( name, {
			edit( { attributes, setAttributes } ) {
				const controls = fields.map( ( [ attribute, label, options ] ) => el(
					options ? components.SelectControl : components.TextControl,
					{
						key: attribute,
						label,
						value: attributes[ attribute ],
						onChange: ( value ) => setAttributes( { [ attribute ]: value } ),
						...( options ? { options } : {} ),
					}
				) );
				return el(
					Fragment,
					null,
					el( blockEditor.InspectorControls, null, el( components.PanelBody, {}, controls ) ),
					el( 'div', blockEditor.useBlockProps(), el( ServerSideRender, { block: name, attributes } ) )
				);
			},
			save: () => null,
		} );
	} );
}( window.wp ) );
